//! Where ids come from that nobody else has.

/// A source of ids.
pub trait IdSource: Send + Sync {
    /// 128 random bits, which nobody has drawn before. Nothing where there is no randomness to be had.
    fn draw(&self) -> Option<u128>;
}

/// The system's randomness.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomIds;

impl IdSource for RandomIds {
    fn draw(&self) -> Option<u128> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).ok()?;
        Some(u128::from_be_bytes(bytes))
    }
}
