//! The scripting host.
