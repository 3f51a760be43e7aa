//! What is said of a site of which a part cannot answer.

use answerplane_protocol::Timestamp;

use crate::moment;
use crate::output;
use crate::problem::{Cause, Problem};
use crate::site::Site;

/// Says on standard error which artifacts cannot be believed, and what that means for questions.
pub(crate) fn tell(site: &Site) {
    for problem in site.problems() {
        output::complain(&format!("{problem} {}", until_then(site, "corrupt")));
    }
}

/// Says on standard error which artifacts have expired.
pub(crate) fn tell_stale(site: &Site, now: Timestamp) {
    for shard in site.shards().flatten() {
        let Ok(artifact) = &shard.artifact else { continue };
        if let Some(expires) = artifact.expires_at().filter(|_| artifact.is_expired(now)) {
            let place = shard.artifact_at.as_ref().map_or("", |origin| &origin.place);
            let expired = format!("{expires} ({})", moment::seen_from(now, expires.timestamp()));
            let problem = Problem::new(place, Cause::Expired(expired));
            output::complain(&format!("{problem} {}", until_then(site, "stale")));
        }
    }
}

/// What a shard that cannot answer means for questions.
fn until_then(site: &Site, reason: &str) -> String {
    if site.is_sharded() {
        format!("Until then every question that no other shard answers escalates ({reason}).")
    } else {
        format!("Until then every question escalates ({reason}).")
    }
}
