//! What every format gives, with exact places.
