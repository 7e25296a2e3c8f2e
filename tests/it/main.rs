//! Knave from outside: the library as a program uses it, and the command as a user calls it. One binary, so that the
//! library is linked once.

#[cfg(unix)]
mod again;
mod analyse;
mod arguments;
#[cfg(unix)]
mod book;
#[cfg(target_os = "linux")]
mod bots;
mod bound;
#[cfg(target_os = "linux")]
mod check_bot;
#[cfg(unix)]
mod claims;
mod cli;
mod common;
mod compare;
mod completions;
mod durable;
mod encodings;
mod examples;
mod experiment;
mod fast_random;
mod findings;
#[cfg(target_os = "linux")]
mod forfeits;
mod games;
mod hostile;
mod interrupted;
mod joined;
mod live;
mod measures;
mod models;
mod own_agents;
mod own_games;
mod own_models;
mod pages;
mod parquet;
mod play;
mod policies;
#[cfg(target_os = "linux")]
mod processes;
#[cfg(target_os = "linux")]
mod repeats;
mod report;
mod report_lines;
mod runner;
mod screens;
mod served;
mod shown;
mod small;
#[cfg(unix)]
mod snapshots;
mod solve;
mod toy;
mod training;
mod unchanged;
