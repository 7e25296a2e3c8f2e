//! `sim report`: a page with charts about result folders.

use super::exit::{Exit, bad_input, print, print_bytes};
use super::show::say_not_joined;
use crate::registry::Registry;
use crate::report;
use crate::store::replace;
use anyhow::Context as _;
use clap::{Args as ClapArgs, ValueHint};
use std::path::{Path, PathBuf};

#[derive(ClapArgs)]
pub struct Args {
    /// The folders that `sim` wrote; those of the same game are shown side by side
    #[arg(required = true, value_name = "DIR", value_hint = ValueHint::DirPath)]
    folders: Vec<PathBuf>,
    /// The page, one HTML file that needs nothing else; `-` is standard output
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Overwrite a file that is there already
    #[arg(long)]
    force: bool,
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<Exit> {
    let to_stdout = args.out.as_os_str() == "-";
    if !to_stdout {
        check_place(args)?;
    }
    let page = report::page(registry, &args.folders).map_err(bad_input)?;
    args.folders.iter().for_each(|folder| say_not_joined(folder));
    if to_stdout {
        print_bytes(page.as_bytes())?;
    } else {
        replace(&args.out, page.as_bytes())
            .with_context(|| format!("cannot write {}", args.out.display()))?;
        print(&format!("Written to {}\n", args.out.display()))?;
    }
    Ok(Exit::Done)
}

/// Refuses a place where no page can be written, or where one would be in the way.
fn check_place(args: &Args) -> anyhow::Result<()> {
    if !args.force && args.out.is_file() {
        let out = args.out.display();
        return Err(bad_input(format!(
            "{out} exists already: choose another file, or overwrite with --force"
        )));
    }
    // A page may lie in such a folder, but not in the place of its tables.
    let named = args.out.canonicalize().unwrap_or_else(|_| args.out.clone());
    let above = named.parent().and_then(|parent| Path::new(".").join(parent).canonicalize().ok());
    let is_above = |folder: PathBuf| above.as_ref().is_some_and(|above| above.starts_with(folder));
    let holds = |folder: &&PathBuf| folder.canonicalize().is_ok_and(is_above);
    // Where the name is that of a link, a page would go to where it leads.
    let is_page = named.extension().is_some_and(|ending| ending == "html" || ending == "htm");
    if let Some(folder) = args.folders.iter().find(holds).filter(|_| !is_page) {
        let (out, folder) = (args.out.display(), folder.display());
        return Err(bad_input(format!(
            "{out} lies in {folder}, where only a page that ends in .html may: choose another place with --out"
        )));
    }
    let folder = args.out.parent().filter(|folder| !folder.as_os_str().is_empty());
    let wrong = match folder {
        _ if args.out.is_dir() => Some("it is a folder"),
        Some(folder) if !folder.is_dir() => Some("its folder is not there"),
        _ => None,
    };
    if let Some(wrong) = wrong {
        return Err(bad_input(format!("cannot write {}: {wrong}", args.out.display())));
    }
    Ok(())
}
