//! The conformance test that every game must pass.
