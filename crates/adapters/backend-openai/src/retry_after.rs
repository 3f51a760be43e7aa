//! When a server wants to be asked again.

use std::time::{Duration, UNIX_EPOCH};

use answerplane_protocol::Timestamp;
use reqwest::header::HeaderValue;

/// When a server wants to be asked again, as its `Retry-After` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryAfter {
    /// After so much time.
    In(Duration),
    /// At this moment, by the server's clock.
    At(Timestamp),
}

impl RetryAfter {
    /// What a header says: whole seconds, or an HTTP date.
    pub(crate) fn read(header: &HeaderValue) -> Option<Self> {
        let text = header.to_str().ok()?.trim();
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            return text.parse().ok().map(|seconds| Self::In(Duration::from_secs(seconds)));
        }
        let moment = httpdate::parse_http_date(text).ok()?.duration_since(UNIX_EPOCH).ok()?;
        i64::try_from(moment.as_millis()).ok().map(|millis| Self::At(Timestamp::from_millis(millis)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<RetryAfter> {
        RetryAfter::read(&HeaderValue::from_str(text).unwrap())
    }

    #[test]
    fn seconds_and_dates_are_read_and_nothing_else() {
        assert_eq!(read("120"), Some(RetryAfter::In(Duration::from_secs(120))));
        assert_eq!(read(" 0 "), Some(RetryAfter::In(Duration::ZERO)));
        let moment = RetryAfter::At(Timestamp::from_millis(1_445_412_480_000));
        assert_eq!(read("Wed, 21 Oct 2015 07:28:00 GMT"), Some(moment));
        for other in ["", "soon", "-1", "1.5", "+3", "99999999999999999999", "2015-10-21T07:28:00Z"] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
