//! Everything that anybody writes into the log, through `log` or `tracing`.

use std::fmt::{Debug, Write as _};
use std::sync::{Mutex, PoisonError};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

static HEARD: Mutex<String> = Mutex::new(String::new());

struct Ear;

struct Written(String);

impl Visit for Written {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let _ = write!(self.0, "{field}={value:?} ");
    }
}

fn hear(line: &str) {
    let mut heard = HEARD.lock().unwrap_or_else(PoisonError::into_inner);
    heard.push_str(line);
    heard.push('\n');
}

impl Subscriber for Ear {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut written = Written(span.metadata().name().to_string());
        span.record(&mut written);
        hear(&written.0);
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        let mut written = Written(String::new());
        values.record(&mut written);
        hear(&written.0);
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut written = Written(event.metadata().target().to_string());
        event.record(&mut written);
        hear(&written.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

impl log::Log for Ear {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        hear(&format!("{} {}", record.target(), record.args()));
    }

    fn flush(&self) {}
}

/// Begins to listen, to everything.
pub(crate) fn listen() {
    log::set_logger(&Ear).unwrap();
    log::set_max_level(log::LevelFilter::Trace);
    tracing::subscriber::set_global_default(Ear).unwrap();
}

/// What was heard so far.
pub(crate) fn heard() -> String {
    HEARD.lock().unwrap_or_else(PoisonError::into_inner).clone()
}
