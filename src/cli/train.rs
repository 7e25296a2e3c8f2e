//! `sim train`: learns the value of positions by self-play and writes a model.

use crate::agents::learn::schedule::{Schedule, Training};
use crate::agents::learn::{Header, Model};
use crate::agents::options;
use crate::cli::exit::{Exit, bad_input, say};
use crate::cli::options::Flags;
use crate::games::{self, CardGame, Visitor};
use crate::studies::run::rules;
use anyhow::Context as _;
use clap::Args as ClapArgs;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(ClapArgs)]
pub struct Args {
    /// The game (`sim list games`)
    #[arg(long, short)]
    game: String,
    /// An option of the rules; repeated for others
    #[arg(long = "rule", value_name = "NAME=VALUE")]
    rules: Vec<String>,
    /// The seed of the games of self-play; the held-out games have the next one
    #[arg(long, default_value_t = 9000)]
    seed: u64,
    /// The model file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Begin with this model of the same game, features and shape instead of a random one
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Overwrite the file if it is there
    #[arg(long)]
    force: bool,
    /// Go on where an interrupted training with the same arguments stopped (FILE.progress)
    #[arg(long, conflicts_with = "force")]
    resume: bool,
    /// Games held out for each estimate
    #[arg(long, default_value_t = 5_000)]
    held_out: u64,
    /// Print no progress
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    schedule: Flags<Schedule>,
}

pub fn run(args: &Args) -> anyhow::Result<Exit> {
    games::visit(&args.game, Train(args)).map_err(bad_input)?
}

struct Train<'a>(&'a Args);

/// How many estimates are printed on the way.
const REPORTS: u64 = 20;

impl Visitor for Train<'_> {
    type Output = anyhow::Result<Exit>;

    fn visit<G: CardGame>(self) -> anyhow::Result<Exit> {
        let args = self.0;
        let given = options::fields(G::NAME, args.rules.iter().map(String::as_str)).map_err(bad_input)?;
        let rules = rules::<G>(&given).map_err(bad_input)?;
        let (kit, schedule) = (G::kit(&rules), &args.schedule.0);
        let Some(mut training) = kit.training.map(|make| make(&rules, schedule, args.seed)) else {
            return Err(bad_input(anyhow::anyhow!("{} has no features to learn from", G::NAME)));
        };
        let rival = &schedule.rival;
        if !rival.is_empty() && kit.find_policy(rival, &rules).is_none() {
            let known = options::listed(kit.policies());
            return Err(bad_input(anyhow::anyhow!(
                "--rival {rival} is no policy for {} under these rules; its policies: {known}",
                G::NAME
            )));
        }
        if !schedule.games.is_multiple_of(u64::from(schedule.batch)) {
            return Err(bad_input(anyhow::anyhow!(
                "--games {} is no multiple of --batch {}",
                schedule.games,
                schedule.batch
            )));
        }
        let mut start = None;
        if let Some(path) = &args.from {
            let model = read_model(path)?;
            let found = (&model.header.game[..], model.header.features_version);
            if found != (G::NAME, training.features_version()) || !training.begin_with(&model.net()) {
                return Err(bad_input(anyhow::anyhow!(
                    "--from {} is a model of another game, other features or another shape",
                    path.display()
                )));
            }
            start = Some(model.header.training);
        }
        let header = Header {
            schema: 2,
            game: G::NAME.to_owned(),
            rules_version: G::RULES_VERSION,
            rules: serde_json::to_value(&rules)?,
            features_version: training.features_version(),
            shape: training.net().shape(),
            unit: 0,
            training: match start {
                None => serde_json::json!({ "seed": args.seed, "schedule": schedule }),
                Some(from) => {
                    serde_json::json!({ "seed": args.seed, "schedule": schedule, "from": from })
                }
            },
        };
        let files = Files::open(args, &header)?;
        if let Some(progress) = files.resumed.as_ref().filter(|progress| !progress.is_empty())
            && !training.resume(progress)
        {
            return Err(bad_input(anyhow::anyhow!("{} is damaged", files.progress.display())));
        }
        let held_out = learn(args, &mut *training, &files, &header)?;
        let mut header = header;
        header.training["held_out"] =
            serde_json::json!({ "seed": args.seed + 1, "games": args.held_out, "mean_utility": held_out });
        let largest = training.largest();
        let model = Model::new(header, training.net(), largest)?;
        fs::write(&args.out, model.to_bytes())?;
        fs::remove_file(&files.progress)?;
        if !args.quiet {
            say(format_args!("Written to {}", args.out.display()));
        }
        Ok(Exit::Done)
    }
}

fn read_model(path: &Path) -> anyhow::Result<Model> {
    let path_shown = path.display();
    let bytes = fs::read(path).map_err(|e| bad_input(anyhow::anyhow!("cannot read {path_shown}: {e}")))?;
    Model::from_bytes(&bytes).map_err(|e| bad_input(anyhow::anyhow!("{path_shown}: {e}")))
}

/// Trains to the end of the schedule and gives the last held-out estimate.
#[expect(clippy::disallowed_methods, reason = "progress shows the time")]
fn learn(args: &Args, training: &mut dyn Training, files: &Files, header: &Header) -> anyhow::Result<f64> {
    let clock = Instant::now();
    let batch = u64::from(args.schedule.0.batch);
    let report = (args.schedule.0.games / REPORTS).next_multiple_of(batch);
    let (mut sum, mut games, mut held_out) = (0.0, 0_u32, f64::NAN);
    while training.games() < args.schedule.0.games {
        sum += training.train();
        games += 1;
        let game = training.games();
        if game.is_multiple_of(report) || game == args.schedule.0.games {
            let held = (0..args.held_out).map(|i| training.held_out(args.seed + 1, i)).sum::<f64>();
            held_out = held / args.held_out.max(1) as f64;
            files.save(header, &training.progress())?;
            if !args.quiet {
                say(format_args!(
                    "{game} games, {:.0} s: mean utility {:.4} in training, {held_out:.4} held out",
                    clock.elapsed().as_secs_f64(),
                    sum / f64::from(games),
                ));
            }
            (sum, games) = (0.0, 0);
        }
    }
    Ok(held_out)
}

/// Where a training writes: the model at the end, and on the way what is needed to go on.
struct Files {
    progress: PathBuf,
    resumed: Option<Vec<u8>>,
}

impl Files {
    /// Checks that the files may be written, before any work.
    fn open(args: &Args, header: &Header) -> anyhow::Result<Self> {
        let mut progress = args.out.clone().into_os_string();
        progress.push(".progress");
        let progress = PathBuf::from(progress);
        if args.out.exists() && !args.force {
            let out = args.out.display();
            return Err(bad_input(anyhow::anyhow!("{out} exists already: overwrite it with --force")));
        }
        let resumed = if args.resume {
            let bytes = fs::read(&progress)
                .map_err(|error| bad_input(anyhow::anyhow!("cannot read {}: {error}", progress.display())))?;
            let line = serde_json::to_vec(header)?;
            let rest = bytes.strip_prefix(&line[..]).and_then(|rest| rest.strip_prefix(b"\n"));
            let Some(rest) = rest else {
                let progress = progress.display();
                return Err(bad_input(anyhow::anyhow!(
                    "{progress} belongs to a training with other arguments"
                )));
            };
            Some(rest.to_vec())
        } else if progress.exists() && !args.force {
            let progress = progress.display();
            return Err(bad_input(anyhow::anyhow!(
                "{progress} holds a training that was interrupted: go on with --resume, or begin anew with --force"
            )));
        } else {
            None
        };
        let files = Self { progress, resumed };
        let saved = files.save(header, files.resumed.as_deref().unwrap_or_default());
        saved.map_err(|error| bad_input(format!("{error:#}")))?;
        Ok(files)
    }

    fn save(&self, header: &Header, progress: &[u8]) -> anyhow::Result<()> {
        let mut bytes = serde_json::to_vec(header)?;
        bytes.push(b'\n');
        bytes.extend(progress);
        // First beside it, then in one move: an interruption must not cost what was there.
        let new = self.progress.with_extension("progress.new");
        fs::write(&new, bytes)
            .and_then(|()| fs::rename(&new, &self.progress))
            .with_context(|| format!("cannot write {}", self.progress.display()))
    }
}
