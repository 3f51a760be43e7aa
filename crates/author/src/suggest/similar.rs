//! How like texts are: the cosine of what they are made of, each part weighed by how rare it is.
//!
//! The parts of a text are its words, its pairs of words, and the pieces of four characters of its words (of two in
//! scripts that write without spaces). Parts of more than a tenth of the aliases say nothing and are left out.

use std::collections::HashMap;

use answerplane_normalize::is_space;

/// Over how many of its aliases the likeness to an entry is taken.
const ALIASES: usize = 3;
/// With fewer aliases than this every part says something.
const FEW: usize = 50;

/// Declared aliases by what they are made of.
pub(super) struct Similar<'a> {
    aliases: Vec<Alias<'a>>,
    parts: HashMap<String, Part>,
    /// How many aliases each group has.
    sizes: Vec<usize>,
}

struct Alias<'a> {
    group: usize,
    text: &'a str,
    norm: f64,
}

#[derive(Default)]
struct Part {
    aliases: Vec<usize>,
    weight: f64,
}

/// The group of aliases that a text is most like.
pub(super) struct Best<'a> {
    pub(super) group: usize,
    pub(super) like: f64,
    /// How much more like than the next group.
    pub(super) margin: f64,
    /// The alias of the group that it is most like.
    pub(super) alias: &'a str,
}

impl<'a> Similar<'a> {
    pub(super) fn new() -> Self {
        Self { aliases: Vec::new(), parts: HashMap::new(), sizes: Vec::new() }
    }

    /// Adds an alias of a group.
    pub(super) fn declare(&mut self, group: usize, text: &'a str, key: &str) {
        let number = self.aliases.len();
        for part in parts(key) {
            self.parts.entry(part).or_default().aliases.push(number);
        }
        if self.sizes.len() <= group {
            self.sizes.resize(group + 1, 0);
        }
        self.sizes[group] += 1;
        self.aliases.push(Alias { group, text, norm: 0.0 });
    }

    /// Weighs the parts, once every alias is there.
    pub(super) fn weigh(&mut self) {
        let count = self.aliases.len();
        if count >= FEW {
            self.parts.retain(|_, part| part.aliases.len() * 10 <= count);
        }
        for part in self.parts.values_mut() {
            part.weight = weight(count, part.aliases.len()).powi(2);
            for alias in &part.aliases {
                self.aliases[*alias].norm += part.weight;
            }
        }
    }

    /// The group that a key is most like.
    pub(super) fn best(&self, key: &str) -> Option<Best<'a>> {
        let mut sums: HashMap<usize, f64> = HashMap::new();
        let norm = self.each_part(key, |part| {
            for alias in &part.aliases {
                *sums.entry(*alias).or_default() += part.weight;
            }
        });
        let mut groups: HashMap<usize, Vec<(f64, usize)>> = HashMap::new();
        for (alias, sum) in sums {
            let like = sum / (norm * self.aliases[alias].norm).sqrt();
            groups.entry(self.aliases[alias].group).or_default().push((like, alias));
        }
        let (mut best, mut next): (Option<Best<'a>>, f64) = (None, 0.0);
        let mut order: Vec<usize> = groups.keys().copied().collect();
        order.sort_unstable();
        for group in order {
            let Some(likes) = groups.get_mut(&group) else { continue };
            likes.sort_by(|one, two| two.0.total_cmp(&one.0).then(one.1.cmp(&two.1)));
            let among = self.sizes[group].min(ALIASES);
            let like = likes.iter().take(among).map(|(like, _)| like).sum::<f64>() / among as f64;
            match &best {
                Some(known) if known.like >= like => next = next.max(like),
                _ => {
                    next = next.max(best.as_ref().map_or(0.0, |known| known.like));
                    let alias = self.aliases[likes[0].1].text;
                    best = Some(Best { group, like, margin: 0.0, alias });
                }
            }
        }
        best.map(|best| Best { margin: best.like - next, ..best })
    }

    /// Calls `see` with the parts of a key that aliases have, and gives the sum of all weights.
    fn each_part(&self, key: &str, mut see: impl FnMut(&Part)) -> f64 {
        let rarest = weight(self.aliases.len(), 0).powi(2);
        let mut norm = 0.0;
        for name in parts(key) {
            match self.parts.get(&name) {
                Some(part) => {
                    norm += part.weight;
                    see(part);
                }
                None => norm += rarest,
            }
        }
        norm
    }

    /// Keys put together with the first that they are like, in order.
    pub(super) fn together(&self, keys: &[String], like: f64) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut norms: Vec<f64> = Vec::new();
        let mut leaders: HashMap<String, Vec<usize>> = HashMap::new();
        for (number, key) in keys.iter().enumerate() {
            let parts = parts(key);
            let norm = parts.len().max(1) as f64;
            let mut common: HashMap<usize, f64> = HashMap::new();
            for part in &parts {
                // What very many begin with tells nothing apart.
                for group in leaders.get(part).into_iter().flatten().take(1_000) {
                    *common.entry(*group).or_default() += 1.0;
                }
            }
            let best = common
                .into_iter()
                .map(|(group, common)| (common / (norm * norms[group]).sqrt(), group))
                .max_by(|one, two| one.0.total_cmp(&two.0).then(two.1.cmp(&one.1)));
            match best {
                Some((found, group)) if found >= like => groups[group].push(number),
                _ => {
                    for part in parts {
                        leaders.entry(part).or_default().push(groups.len());
                    }
                    norms.push(norm);
                    groups.push(vec![number]);
                }
            }
        }
        groups
    }
}

fn weight(aliases: usize, with_it: usize) -> f64 {
    (1.0 + aliases as f64 / (1.0 + with_it as f64)).ln()
}

/// What a key is made of, each part once.
fn parts(key: &str) -> Vec<String> {
    let words: Vec<&str> = key
        .split(|c: char| is_space(c) || !(c.is_alphanumeric() || is_mark(c)))
        .filter(|w| !w.is_empty())
        .collect();
    let mut parts: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    parts.extend(words.windows(2).map(|pair| format!("{} {}", pair[0], pair[1])));
    for word in words {
        let framed: Vec<char> =
            std::iter::once('^').chain(word.chars()).chain(std::iter::once('$')).collect();
        let length = if framed.iter().any(|character| is_unspaced(*character)) { 2 } else { 4 };
        parts.extend(framed.windows(length).map(|piece| format!("#{}", piece.iter().collect::<String>())));
    }
    parts.sort_unstable();
    parts.dedup();
    parts
}

/// Marks belong to the words of many scripts.
fn is_mark(character: char) -> bool {
    use icu_properties::props::{GeneralCategory, GeneralCategoryGroup};
    let category = icu_properties::CodePointMapData::<GeneralCategory>::new().get(character);
    GeneralCategoryGroup::Mark.contains(category)
}

/// Whether a character is of a script that writes without spaces between words.
fn is_unspaced(character: char) -> bool {
    use icu_properties::props::Script;
    let script = icu_properties::CodePointMapData::<Script>::new().get(character);
    matches!(
        script,
        Script::Han
            | Script::Hiragana
            | Script::Katakana
            | Script::Thai
            | Script::Lao
            | Script::Khmer
            | Script::Myanmar
    )
}

#[cfg(test)]
mod tests {
    use super::{Similar, parts};

    #[test]
    fn texts_are_made_of_words_pairs_and_pieces() {
        assert_eq!(parts("my card"), ["#^car", "#^my$", "#ard$", "#card", "card", "my", "my card"]);
        assert!(parts("入口").contains(&"#入口".to_owned()));
        assert!(parts("?!").is_empty());
    }

    #[test]
    fn the_nearest_group_is_found_with_its_margin() {
        let mut similar = Similar::new();
        for (group, alias) in
            [(0, "where is my card"), (0, "my card has not arrived"), (1, "how do i top up")]
        {
            similar.declare(group, alias, alias);
        }
        similar.weigh();
        let best = similar.best("has my card arrived").unwrap();
        assert_eq!((best.group, best.alias), (0, "my card has not arrived"));
        assert!(best.like > 0.3 && best.margin > 0.2 && best.like <= 1.0, "{} {}", best.like, best.margin);
        assert!(similar.best("zebra").is_none());
    }
}
