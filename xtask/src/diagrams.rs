//! The diagrams of the sample statecharts: a part of `cargo xtask fixtures`.

use std::path::Path;

use answerplane_statechart::{Definition, Edge, State};

use crate::generated::File;
use crate::root;

const FOLDER: &str = "fixtures/statechart";

pub(crate) fn generate() -> Result<Vec<File>, String> {
    let mut files = Vec::new();
    for name in ["door", "hostile"] {
        let path = Path::new(FOLDER).join(name).with_extension("json");
        let text = std::fs::read_to_string(root().join(&path)).map_err(|error| error.to_string());
        let definition = text.and_then(|text| Definition::decode(&text).map_err(|why| why.to_string()));
        files.extend(drawn(name, &definition.map_err(|why| format!("{}: {why}", path.display()))?));
    }
    files.extend(drawn("guarded", &guarded()?));
    Ok(files)
}

fn drawn(name: &str, definition: &Definition) -> [File; 2] {
    let path = Path::new(FOLDER).join(name);
    [
        File { path: path.with_extension("mmd"), content: definition.to_mermaid().into_bytes() },
        File { path: path.with_extension("dot"), content: definition.to_dot().into_bytes() },
    ]
}

/// Guards and reducers are code, so no JSON holds them.
fn guarded() -> Result<Definition, String> {
    let edge = || Edge::to("paid").guard(|_, _| Ok(true));
    let cart = State::new("cart")
        .on("ADD", Edge::to("cart").reduce(|context, _| Ok(context.clone())))
        .on("PAY", edge())
        .on("PAY AND LEAVE", edge().reduce(|context, _| Ok(context.clone())))
        .on("CLEAR", "cart");
    let definition = Definition::builder("order", "1", "cart").state(cart).state(State::new("paid"));
    definition.build().map_err(|why| why.to_string())
}
