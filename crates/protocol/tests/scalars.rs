//! The rule of every scalar, at its edges.
#![allow(clippy::unwrap_used)]

use answerplane_protocol::{
    BoundedText, ContentHash, DateTime, Identifier, InvalidScalar, SafeLink, TrimmedText,
};
use proptest::prelude::*;

#[test]
fn identifiers() {
    let longest = "a".repeat(128);
    for good in ["a", "Z", "0", "a.b_c:d-e", "9.", &longest] {
        assert!(good.parse::<Identifier>().is_ok(), "{good}");
    }
    let too_long = "a".repeat(129);
    for bad in ["", " a", "a ", ".a", "-a", "_a", ":a", "a/b", "é", "a\n", "a\0", &too_long] {
        assert_eq!(bad.parse::<Identifier>(), Err(InvalidScalar::Identifier), "{bad:?}");
    }
}

#[test]
fn content_hashes() {
    let digits = "0123456789abcdef".repeat(4);
    let hash: ContentHash = format!("sha256:{digits}").parse().unwrap();
    assert_eq!(hash.as_bytes()[..3], [0x01, 0x23, 0x45]);
    assert_eq!(hash.to_string(), format!("sha256:{digits}"));
    for bad in [
        String::new(),
        digits.clone(),
        format!("sha256:{}", digits.to_uppercase()),
        format!("SHA256:{digits}"),
        format!("sha256:{}", &digits[1..]),
        format!("sha256:{digits}0"),
        format!("sha256:{}é", &digits[2..]),
        format!(" sha256:{digits}"),
    ] {
        assert_eq!(bad.parse::<ContentHash>(), Err(InvalidScalar::ContentHash), "{bad}");
    }
}

#[test]
fn date_times() {
    for (text, millis) in [
        ("1970-01-01T00:00Z", 0),
        ("1970-01-01T00:00:00.001999Z", 1),
        ("1969-12-31T23:59:59.9999Z", -1),
        ("1970-01-01T00:00:00+23:59", -86_340_000),
        ("1970-01-01T00:00:00-00:00", 0),
        ("2000-02-29T12:00:00Z", 951_825_600_000),
        ("0000-01-01T00:00:00Z", -62_167_219_200_000),
        ("0000-02-29T00:00:00Z", -62_162_121_600_000),
        ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
        ("2026-07-13T00:00:00.0000000000000000000001Z", 1_783_900_800_000),
    ] {
        let date_time: DateTime = text.parse().unwrap();
        assert_eq!(date_time.timestamp().as_millis(), millis, "{text}");
        assert_eq!(date_time.as_str(), text);
    }
    for bad in [
        "",
        "2026-01-01",
        "2026-01-01T00Z",
        "2026-01-01T00:00",
        "2026-01-01T00:00:00",
        "2026-01-01 00:00Z",
        "2026-01-01t00:00Z",
        "2026-01-01T00:00z",
        "2026-00-01T00:00Z",
        "2026-13-01T00:00Z",
        "2026-01-00T00:00Z",
        "2026-01-32T00:00Z",
        "2026-02-29T00:00Z",
        "1900-02-29T00:00Z",
        "2026-04-31T00:00Z",
        "2026-01-01T24:00Z",
        "2026-01-01T23:60Z",
        "2026-01-01T23:59:60Z",
        "2026-01-01T00:00:00.Z",
        "2026-01-01T00:00:00,5Z",
        "2026-01-01T00:00+24:00",
        "2026-01-01T00:00+1:00",
        "2026-01-01T00:00+0100",
        "2026-01-01T00:00+01",
        "2026-01-01T00:00+00:60",
        "+2026-01-01T00:00Z",
        "12026-01-01T00:00Z",
        "202-01-01T00:00Z",
        " 2026-01-01T00:00Z",
        "2026-01-01T00:00Z ",
        "2026-01-01T00:00Zx",
        "２026-01-01T00:00Z",
        "2026-W01-1T00:00Z",
        "2026-001T00:00Z",
    ] {
        assert_eq!(bad.parse::<DateTime>(), Err(InvalidScalar::DateTime), "{bad}");
    }
}

#[test]
fn safe_links() {
    let longest = format!("/{}", "🚀".repeat(1_023) + "x");
    for good in [
        "/",
        "/a b?c=d#e",
        "/é",
        "https://docs.example",
        "HTTP://A",
        "http:a",
        "https:/a",
        "https://@h/",
        "https://:@h/",
        "https://[::1]:8080/",
        "https://münchen.example/ü",
        "http:@Garden.Example ",
        "https://docs.example/\u{85}",
        "https://xn--mnchen-3ya.example",
        &longest,
    ] {
        assert!(good.parse::<SafeLink>().is_ok(), "{good}");
    }
    let too_long = format!("{longest}y");
    for bad in [
        "",
        "//h",
        "a",
        "./a",
        "../a",
        "#a",
        "?a",
        " /a",
        "javascript:alert(1)",
        "java\tscript:alert(1)",
        "JavaScript://h/%0aalert(1)",
        "data:text/html,x",
        "vbscript:x",
        "ftp://h",
        "mailto:a@h",
        "file:///a",
        "https://u@h",
        "https://u:p@h",
        "https://:p@h",
        "/\\h",
        "\\h",
        "https://h\\a",
        "/a\u{7}",
        "/a\n",
        "/a\u{7f}",
        "https://",
        "https://h:99999",
        "https://1.2.3.400",
        "https://a b/",
        "http://xn--/",
        "1https://h",
        "%68ttps://h",
        "https&#58;//h",
        &too_long,
    ] {
        assert_eq!(bad.parse::<SafeLink>(), Err(InvalidScalar::SafeLink), "{bad:?}");
    }
}

#[test]
fn texts() {
    assert!("🚀🚀".parse::<BoundedText<1, 4>>().is_ok());
    assert!("🚀🚀x".parse::<BoundedText<1, 4>>().is_err());
    assert!("ääää".parse::<BoundedText<1, 4>>().is_ok());
    assert!(" ".parse::<BoundedText<1, 4>>().is_ok());
    assert!("".parse::<BoundedText<1, 4>>().is_err());
    assert!("".parse::<BoundedText<0, 4>>().is_ok());
    assert!(" \u{feff} ".parse::<TrimmedText<1, 4>>().is_err());
    assert_eq!("\u{3000} ab c\t".parse::<TrimmedText<1, 4>>().unwrap().as_str(), "ab c");
    assert_eq!(
        "abcde".parse::<TrimmedText<1, 4>>().unwrap_err().to_string(),
        "a text of 1 to 4 UTF-16 units is needed"
    );
    assert_eq!(BoundedText::<0, 2>::cut("a🚀").as_str(), "a");
}

proptest! {
    /// The day count against an independent one: walking the calendar.
    #[test]
    fn days_follow_each_other(year in 0i64..9_999, month in 1u32..=12, day in 1u32..=31) {
        let text = |year: i64, month: u32, day: u32| format!("{year:04}-{month:02}-{day:02}T00:00Z");
        if let Ok(today) = text(year, month, day).parse::<DateTime>() {
            let next = [text(year, month, day + 1), text(year, month + 1, 1), text(year + 1, 1, 1)];
            let tomorrow = next.iter().find_map(|text| text.parse::<DateTime>().ok()).unwrap();
            prop_assert_eq!(tomorrow.timestamp().as_millis() - today.timestamp().as_millis(), 86_400_000);
        }
    }

    #[test]
    fn any_text_is_judged_without_panic(text in ".{0,40}") {
        let _ = text.parse::<Identifier>();
        let _ = text.parse::<ContentHash>();
        let _ = text.parse::<DateTime>();
        let _ = text.parse::<SafeLink>();
    }
}
