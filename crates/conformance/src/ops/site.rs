//! `decodeSiteConfig`.

use answerplane_protocol::SiteConfig;
use serde_json::{Value, json};

use crate::request::{BadRequest, Request, decoded};

pub(super) fn decode_site_config(request: &Request) -> Result<Value, BadRequest> {
    let site = request.decode(SiteConfig::decode, SiteConfig::decode_embedded);
    decoded(site.map(|site| site.map(|site| json!(site))))
}
