//! The commands of `grog`.
