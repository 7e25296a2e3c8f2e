//! Training of models: recipes as data, and a session that makes a model of one.
//!
//! A recipe has stages; each begins with the model of the one before, or afresh with another net. The model is the mean of the nets,
//! which errs less than each of them. The same recipe makes the same file to the byte, on any machine and however often it was
//! interrupted. A stage `i` is counted from 0; users read numbers from 1, in reports, errors and names of files.

mod error;
mod made;
mod progress;
mod recipe;
mod stages;

pub use error::TrainError;
pub use recipe::{Recipe, Stage};

use crate::exec::panic_text;
use crate::registry::Registry;
use crate::store::{Existing, FolderError, Sum, folder_of, remove_left_overs, replace};
use crate::trainable::{Rivals, Trainable};
use knave_agents::learn::{Header, Model};
use knave_agents::net::Shape;
use knave_agents::options;
use knave_agents::training::{MOST_FIRST, MOST_SECOND, Method, Schedule, Training};
use progress::{Claim, LOCK, PROGRESS, ProgressFile};
use serde_json::{Value, json};
use std::cell::Cell;
use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// A progress report, made up to twenty times in a stage.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Report {
    /// The stage, from 1.
    pub stage: usize,
    /// The games of the stage so far.
    pub games: u64,
    /// The mean utility of the first seat in the games since the last report.
    pub trained: f64,
    /// Its mean in the held-out games.
    pub held_out: f64,
}

/// Fields of a header's record of a training that tell by what rivals play.
const RIVAL_MODELS: &str = "rival_models";
const RIVAL_PRESETS: &str = "rival_presets";

/// The most reports that there are in a stage.
const REPORTS: u64 = 20;

/// Makes a model.
pub struct Train<'r> {
    registry: &'r Registry,
    recipe: Recipe,
    /// The model to begin with, and its file.
    start: Option<(PathBuf, Model)>,
    /// What each stage goes on from. Models that are not made yet have random weights here.
    before: Vec<Option<Model>>,
    /// Notes for the user, each once: what there is to say of rivals.
    pub notes: Vec<String>,
    out: PathBuf,
    existing: Existing,
    /// Whether a model that is there already may be replaced.
    replaces: bool,
    /// Whether it is this one, as far as it records how it was made, and nothing is left to do.
    pub is_made: bool,
    /// Until the end nobody else changes what was found.
    _claim: Option<Claim>,
}

impl<'r> Train<'r> {
    /// Checks a recipe, the model to begin with, if there is one, and the file to be written. Nobody else can train to that file until
    /// this has run or is dropped.
    ///
    /// # Errors
    /// Names the field, its value and what would be right; or another is training to that file.
    pub fn new(
        registry: &'r Registry,
        recipe: Recipe,
        start: Option<&Path>,
        out: &Path,
        existing: Existing,
    ) -> Result<Self, TrainError> {
        let start = start.map(|path| Ok::<_, TrainError>((path.to_owned(), read(path)?))).transpose()?;
        // A file is locked under its own name, whatever links lead to it.
        let resolved = out.is_symlink().then(|| out.canonicalize()).transpose();
        let resolved = resolved.map_err(FolderError::io("write", out))?;
        let out = resolved.as_deref().unwrap_or(out);
        let mut train = Self {
            registry,
            recipe,
            start,
            before: Vec::new(),
            notes: Vec::new(),
            out: out.to_owned(),
            existing,
            replaces: false,
            is_made: false,
            _claim: None,
        };
        if let Some((path, model)) = &train.start {
            let Shape { first, second, .. } = model.header.shape;
            for (layer, units, most) in [("first", first, MOST_FIRST), ("second", second, MOST_SECOND)] {
                if units > most as usize {
                    return Err(TrainError::Wide { path: path.clone(), layer, units, most });
                }
            }
            train.recipe.begin_with(model.header.shape);
        }
        if train.recipe.stages.is_empty() {
            return Err(TrainError::NoStages);
        }
        if train.recipe.held_out == 0 {
            return Err(TrainError::NoneHeldOut);
        }
        (train.before, train.notes) = train.check_stages()?;
        if out.is_dir() {
            return Err(FolderError::io("write", out)(io::ErrorKind::IsADirectory.into()).into());
        }
        // A pipe would wait for a reader when all is learnt.
        if out.metadata().is_ok_and(|data| !data.is_file()) {
            return Err(FolderError::io("write", out)(io::Error::new(
                io::ErrorKind::InvalidInput,
                "it is no plain file",
            ))
            .into());
        }
        if out.parent().is_some_and(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
            return Err(TrainError::NoFolder { path: out.to_owned() });
        }
        // Another training may be about to write what is looked at next.
        let claim = Claim::new(train.beside(LOCK), out)?;
        let progress = train.progress();
        let begun = train.unfinished().find(|path| path.exists());
        if let Some(path) = begun.filter(|_| existing == Existing::Keep) {
            return Err(TrainError::Unfinished { path });
        }
        // What a training was begun with, it goes on with.
        let replaces = existing == Existing::Replace
            || (existing == Existing::Resume && progress.exists() && ProgressFile::read(&progress)?.replaces);
        let is_made = existing == Existing::Resume && out.exists() && !replaces && train.is_made()?;
        if out.exists() && !replaces && !is_made {
            return Err(TrainError::Exists { path: out.to_owned() });
        }
        Ok(Self { replaces, is_made, _claim: Some(claim), ..train })
    }

    /// Makes the model and writes it. Returns whether it is finished: `stop` ends it early, and it can be resumed.
    ///
    /// # Errors
    /// When the interrupted training cannot be resumed, or a file cannot be written.
    pub fn run(self, stop: &AtomicBool, observer: &mut dyn FnMut(&Report)) -> Result<bool, TrainError> {
        let path = self.progress();
        let resume = self.existing == Existing::Resume;
        let own = self.unfinished().chain([self.out.clone()]);
        let names: Vec<String> =
            own.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect();
        remove_left_overs(folder_of(&self.out), &names);
        if self.is_made {
            self.remove_unfinished();
            return Ok(true);
        }
        let last = self.recipe.stages.len() - 1;
        if self.existing == Existing::Replace {
            // A stage of another training, of whatever length, would be taken for one of this.
            let stages = (0..).map(|i| self.stage_file(i)).take_while(|path| path.exists());
            self.unfinished().chain(stages).for_each(|path| drop(fs::remove_file(path)));
        }
        // How many stages an earlier session finished.
        let done = (0..last).rev().find(|&i| resume && self.stage_file(i).exists()).map_or(0, |i| i + 1);
        // The mean needs these in the end.
        for i in self.first_nets().filter(|&i| i < done) {
            self.check_stage(i)?;
        }
        for (i, stage) in self.recipe.stages.iter().enumerate().skip(done) {
            let mut begun = self.begun(i)?;
            if resume && i == done {
                self.go_on(i, &path, &mut begun)?;
            }
            let Begun { schedule, mut trainable, mut header, sum, arguments } = begun;
            let mut progress = ProgressFile {
                replaces: self.replaces,
                stage: Some(i + 1),
                model: sum,
                arguments: Some(arguments),
                training: Vec::new(),
            };
            progress.training = trainable.training.progress();
            progress.write(&path)?;
            let mut is_empty = i == 0 && trainable.training.games() == 0;
            let mut save = |training: &dyn Training| {
                progress.training = training.progress();
                is_empty = false;
                progress.write(&path)
            };
            let is_reporting = Cell::new(false);
            let mut observe = |report: &Report| {
                is_reporting.set(true);
                observer(report);
                is_reporting.set(false);
            };
            let learn = || self.learn(i, &schedule, &mut trainable, &mut save, (stop, &mut observe));
            let learnt = catch_unwind(AssertUnwindSafe(learn)).unwrap_or_else(|panic| {
                if is_reporting.get() {
                    // It is of the observer, which is the caller's.
                    resume_unwind(panic);
                }
                if is_empty {
                    // There is nothing to go on with, and nobody interrupted it.
                    let _ = fs::remove_file(&path);
                }
                let of = if last == 0 { String::new() } else { format!("of stage {} ", i + 1) };
                let games = trainable.training.games();
                Err(TrainError::Panic { games, of, message: panic_text(&*panic) })
            });
            let Some(held_out) = learnt? else { return Ok(false) };
            header.training["held_out"] =
                json!({ "seed": stage.seed + 1, "games": self.recipe.held_out, "mean_utility": held_out });
            let largest = trainable.training.largest();
            // With weights that no model can hold there is nothing to go on with.
            let model = Model::new(header, trainable.training.net(), largest)
                .inspect_err(|_| drop(self.go_back(i, &path)));
            let mut bytes = model?.to_bytes();
            let file = if i == last { self.out.clone() } else { self.stage_file(i) };
            if i == last {
                bytes = self.mean(bytes)?;
                if !self.replaces && file.exists() {
                    return Err(TrainError::Appeared { path: file });
                }
            }
            write(&file, &bytes)?;
        }
        self.remove_unfinished();
        Ok(true)
    }

    /// Removes what a training needs until its model is written. A file that cannot be removed does no harm.
    fn remove_unfinished(&self) {
        self.unfinished().for_each(|path| drop(fs::remove_file(path)));
    }

    /// A stage that begins with what it goes on from: rounded weights in a file.
    fn begun(&self, i: usize) -> Result<Begun, TrainError> {
        let stage = &self.recipe.stages[i];
        let start = match i {
            _ if stage.afresh => None,
            0 => self.start.clone(),
            _ => Some((self.stage_file(i - 1), read(&self.stage_file(i - 1))?)),
        };
        let schedule = self.schedule(i)?;
        let mut trainable = self.set_up(i, &schedule, start.as_ref().map(|(_, model)| model))?;
        if let Some((path, model)) = &start {
            self.begin(&mut trainable, schedule.method, path, model)?;
        }
        let from = start.as_ref().map(|(_, model)| &model.header.training);
        let header = self.header(stage, &schedule, &mut trainable, from);
        // What the header does not tell: the nets before, the weights of the rules, and the held-out games.
        let sum = |header: &Header| {
            let whole = (header, &self.recipe.stages[..=i], self.recipe.held_out);
            Sum::of(&serde_json::to_vec(&whole).unwrap_or_default())
        };
        let (sum, arguments) = (sum(&header), sum(&without_rivals(header.clone())));
        Ok(Begun { schedule, trainable, header, sum, arguments })
    }

    /// Has a stage go on from what an earlier session left.
    fn go_on(&self, i: usize, path: &Path, begun: &mut Begun) -> Result<(), TrainError> {
        let found = if path.exists() { Some(ProgressFile::read(path)?) } else { None };
        if let Some(found) = found.as_ref().filter(|found| found.model == begun.sum) {
            let goes_on = found.training.is_empty() || begun.trainable.training.resume(&found.training);
            return if goes_on { Ok(()) } else { Err(TrainError::Damaged { path: path.to_owned() }) };
        }
        // The stage before the one that it tells of.
        let before = found.as_ref().and_then(|found| found.stage?.checked_sub(2));
        if let Some(before) = before.filter(|&before| before >= i) {
            let path = self.stage_file(before);
            if !path.exists() {
                return Err(TrainError::Missing { path, progress: self.progress() });
            }
        }
        // That session may have ended after it wrote a stage and before the progress of the next.
        let before = if i == 0 {
            None
        } else {
            self.check_stage(i - 1)?;
            Some(self.begun(i - 1)?.sum)
        };
        match found {
            Some(found) if Some(found.model) != before => {
                let rivals = found.arguments == Some(begun.arguments);
                Err(TrainError::Foreign { path: path.to_owned(), rivals })
            }
            _ => Ok(()),
        }
    }

    /// Puts the progress back to the end of the stage before. It is still known there what no header tells: the rules of all stages,
    /// and the held-out games.
    fn go_back(&self, i: usize, path: &Path) -> Result<(), TrainError> {
        let Some(before) = i.checked_sub(1) else {
            let _ = fs::remove_file(path);
            return Ok(());
        };
        let Begun { sum, arguments, .. } = self.begun(before)?;
        let (stage, training) = (Some(before + 1), Vec::new());
        ProgressFile { replaces: self.replaces, stage, model: sum, arguments: Some(arguments), training }
            .write(path)
    }

    /// Checks that the model of a finished stage is of this training.
    fn check_stage(&self, i: usize) -> Result<(), TrainError> {
        let path = self.stage_file(i);
        let (mut found, expected) = (read(&path)?.header, self.begun(i)?.header);
        // What is known in the end alone.
        found.schema = expected.schema;
        found.unit = expected.unit;
        found.fnv1a = None;
        if let Some(training) = found.training.as_object_mut() {
            training.remove("held_out");
        }
        if found == expected {
            return Ok(());
        }
        let rivals = without_rivals(found) == without_rivals(expected);
        Err(TrainError::Foreign { path, rivals })
    }

    /// The stages with which the nets before the last one end.
    fn first_nets(&self) -> impl Iterator<Item = usize> {
        (0..).zip(&self.recipe.stages[1..]).filter(|(_, next)| next.afresh).map(|(i, _)| i)
    }

    /// The files that an unfinished training has.
    fn unfinished(&self) -> impl Iterator<Item = PathBuf> {
        let stages = (0..self.recipe.stages.len() - 1).map(|i| self.stage_file(i));
        // First what tells of the others: without it they are leftovers of a finished training, and with it they must be there.
        std::iter::once(self.progress()).chain(stages)
    }

    /// The file of the mean of the nets, of which this is the last.
    fn mean(&self, last: Vec<u8>) -> Result<Vec<u8>, TrainError> {
        let first = self.first_nets().map(|i| read(&self.stage_file(i)));
        let mut nets = first.collect::<Result<Vec<_>, _>>()?;
        if nets.is_empty() {
            return Ok(last);
        }
        nets.push(Model::from_bytes(&last)?);
        Ok(Model::mean(&nets)?.to_bytes())
    }

    /// The model of a stage that is not the last.
    fn stage_file(&self, i: usize) -> PathBuf {
        self.beside(&format!(".stage{}", i + 1))
    }

    /// The file that holds what was learnt, if the training is interrupted.
    #[must_use]
    pub fn progress(&self) -> PathBuf {
        self.beside(PROGRESS)
    }

    /// A file beside the model.
    fn beside(&self, ending: &str) -> PathBuf {
        let mut path = self.out.clone().into_os_string();
        path.push(ending);
        path.into()
    }

    /// A stage as it is known before it begins.
    fn trainable(&self, i: usize) -> Result<(Schedule, Trainable), TrainError> {
        let schedule = self.schedule(i)?;
        let trainable = self.set_up(i, &schedule, self.before[i].as_ref())?;
        Ok((schedule, trainable))
    }

    /// The schedule of a stage.
    fn schedule(&self, i: usize) -> Result<Schedule, TrainError> {
        let stage = &self.recipe.stages[i];
        if stage.seed == u64::MAX {
            let reason = format!(
                "seed={} is refused: expected at most {}, for the held-out games have the next one",
                stage.seed,
                u64::MAX - 1
            );
            return Err(TrainError::Stage { stage: i + 1, reason });
        }
        let mut schedule: Schedule =
            options::read("training", &stage.schedule).map_err(|error| self.located(i, error.into()))?;
        // Models tell it as a number.
        schedule.lambda_end.get_or_insert(schedule.lambda);
        let Schedule { games, batch, .. } = schedule;
        if !games.is_multiple_of(u64::from(batch)) {
            return Err(self.located(i, TrainError::Batch { games, batch }));
        }
        Ok(schedule)
    }

    /// The net of a stage that goes on from the model `before`.
    fn set_up(&self, i: usize, schedule: &Schedule, before: Option<&Model>) -> Result<Trainable, TrainError> {
        let stage = &self.recipe.stages[i];
        let game = self.registry.game(&self.recipe.game)?;
        let trainable = game.training((&stage.rules, stage.cards.as_ref()), schedule, stage.seed, before);
        trainable.map_err(|error| self.located(i, error.into()))
    }

    /// An error of a stage: of several it must be told which.
    fn located(&self, i: usize, error: TrainError) -> TrainError {
        match self.recipe.stages.len() {
            1 => error,
            _ => TrainError::Stage { stage: i + 1, reason: error.to_string() },
        }
    }

    /// Begins with the weights of a model.
    fn begin(
        &self,
        trainable: &mut Trainable,
        method: Method,
        path: &Path,
        model: &Model,
    ) -> Result<(), TrainError> {
        let Header { game, rules_version, features_version, shape, .. } = &model.header;
        let told = |game: &str, features: u32, shape: Shape, values: bool| {
            let what = if values { "" } else { ", no values but a policy" };
            format!("{game}, features {features}, first={}, second={}{what}", shape.first, shape.second)
        };
        // A policy may begin with either.
        let values = method == Method::PolicyGradient || model.header.method() == Method::Td;
        let training = &mut trainable.training;
        let (right, features) = (training.net().shape(), training.features_version());
        let mut found = told(game, *features_version, *shape, values);
        let mut expected = told(&self.recipe.game, features, right, true);
        // These are mostly the same, and told where they are not.
        for (name, one, other) in [
            ("rules version", rules_version.to_string(), trainable.rules_version.to_string()),
            ("inputs", shape.inputs.to_string(), right.inputs.to_string()),
            ("groups", format!("{:?}", shape.groups.0), format!("{:?}", right.groups.0)),
            ("heads", shape.heads.to_string(), right.heads.to_string()),
        ] {
            if one != other {
                found += &format!(", {name} {one}");
                expected += &format!(", {name} {other}");
            }
        }
        if found != expected || !training.begin_with(&model.net(), model.header.method()) {
            return Err(TrainError::Start { path: path.to_owned(), found, expected });
        }
        Ok(())
    }

    fn header(
        &self,
        stage: &Stage,
        schedule: &Schedule,
        trainable: &mut Trainable,
        from: Option<&Value>,
    ) -> Header {
        let mut training = json!({ "seed": stage.seed, "schedule": schedule });
        // In another order the same cards are dealt otherwise.
        if let Some(cards) = &trainable.cards {
            training["cards"] = json!(cards);
        }
        let Rivals { models, presets, .. } = &trainable.rivals;
        if !models.is_empty() {
            training[RIVAL_MODELS] = json!(models);
        }
        if !presets.is_empty() {
            training[RIVAL_PRESETS] = json!(presets);
        }
        if let Some(from) = from {
            training["from"] = from.clone();
        }
        Header {
            schema: 2,
            game: self.recipe.game.clone(),
            rules_version: trainable.rules_version,
            rules: trainable.rules.clone(),
            features_version: trainable.training.features_version(),
            shape: trainable.training.net().shape(),
            unit: 0,
            training,
            fnv1a: None,
        }
    }

    /// Trains to the end of the schedule and gives the last held-out estimate; nothing when it was stopped.
    fn learn(
        &self,
        i: usize,
        schedule: &Schedule,
        trainable: &mut Trainable,
        save: &mut dyn FnMut(&dyn Training) -> Result<(), TrainError>,
        (stop, observer): (&AtomicBool, &mut dyn FnMut(&Report)),
    ) -> Result<Option<f64>, TrainError> {
        let (training, seed) = (&mut trainable.training, self.recipe.stages[i].seed);
        let batch = u64::from(schedule.batch);
        let report = schedule.games.div_ceil(REPORTS).next_multiple_of(batch);
        // Nothing where it was stopped: with a slow rival these games take long.
        let estimate = |training: &mut dyn Training| {
            let game = |k| {
                let goes_on = !stop.load(Ordering::Relaxed);
                goes_on.then(|| training.held_out(seed.wrapping_add(1), k))
            };
            let held = (0..self.recipe.held_out).map(game).sum::<Option<f64>>()?;
            Some(held / self.recipe.held_out as f64)
        };
        let (mut sum, mut games) = (0.0, 0_u32);
        // It may have been interrupted when it was at its end.
        if training.games() >= schedule.games {
            return Ok(estimate(&mut **training));
        }
        loop {
            sum += training.train();
            games += 1;
            let game = training.games();
            let is_told = game.is_multiple_of(report) || game == schedule.games;
            if is_told {
                save(&**training)?;
                let Some(held_out) = estimate(&mut **training) else { return Ok(None) };
                observer(&Report { stage: i + 1, games: game, trained: sum / f64::from(games), held_out });
                (sum, games) = (0.0, 0);
                if game == schedule.games {
                    return Ok(Some(held_out));
                }
            }
            if stop.load(Ordering::Relaxed) {
                if !is_told {
                    save(&**training)?;
                }
                return Ok(None);
            }
        }
    }
}

/// A stage before its first game.
struct Begun {
    schedule: Schedule,
    trainable: Trainable,
    header: Header,
    /// The checksum by which its progress is known again.
    sum: Sum,
    /// The same without the models and preset files of rivals.
    arguments: Sum,
}

/// A header that does not tell by what rivals play.
fn without_rivals(mut header: Header) -> Header {
    if let Some(training) = header.training.as_object_mut() {
        training.retain(|field, _| field != RIVAL_MODELS && field != RIVAL_PRESETS);
    }
    header
}

fn read(path: &Path) -> Result<Model, TrainError> {
    let model = Model::read(path).map_err(FolderError::io("read", path))?;
    model.map_err(|source| TrainError::Model { path: path.to_owned(), source })
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), TrainError> {
    replace(path, bytes).map_err(|source| TrainError::Unwritten { path: path.to_owned(), source })
}
