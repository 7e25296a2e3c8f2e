//! What can go wrong when a model is made.

use crate::games::UnknownGame;
use crate::store::FolderError;
use crate::trainable::TrainingError;
use knave_agents::learn::ModelError;
use knave_agents::options::OptionError;
use std::io;
use std::path::PathBuf;

/// An error of making a model.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// The recipe has no stages.
    #[error("stages: there are none; expected one [[stages]] at least")]
    NoStages,
    /// No game would be held out.
    #[error("held_out=0 is refused: expected at least 1, for the estimates")]
    NoneHeldOut,
    /// A schedule was refused.
    #[error(transparent)]
    Schedule(#[from] OptionError),
    /// The rules or the rival were refused, or the game has nothing to learn from.
    #[error(transparent)]
    Training(#[from] TrainingError),
    /// The last learning step would be cut short.
    #[error("training: games={games} is refused: expected a multiple of batch={batch}")]
    Batch {
        /// The games.
        games: u64,
        /// The games between two learning steps.
        batch: u32,
    },
    /// The model to begin with does not fit.
    #[error("{path} is a model of {found}; expected one of {expected}", path = path.display())]
    Start {
        /// The file.
        path: PathBuf,
        /// Its game, features and shape.
        found: String,
        /// What would fit.
        expected: String,
    },
    /// The model to begin with has more units than a training can have, as a mean of nets may.
    #[error("{path} has {units} units in its {layer} layer, and trainings at most {most}", path = path.display())]
    Wide {
        /// The file.
        path: PathBuf,
        /// The layer.
        layer: &'static str,
        /// Its units.
        units: usize,
        /// The most.
        most: u32,
    },
    /// A stage does not fit the others.
    #[error("stage {stage}: {reason}")]
    Stage {
        /// The stage, from 1.
        stage: usize,
        /// The field, its value and what would be right.
        reason: String,
    },
    /// A game, an agent or a net panicked.
    #[error(
        "after {games} games {of}the training failed: {message} (if it is a bug, please report it with this command to the authors of the game or agent)"
    )]
    Panic {
        /// The games that were over.
        games: u64,
        /// `of stage 2 `, or nothing where there is one alone.
        of: String,
        /// What the panic said.
        message: String,
    },
    /// A model cannot be read.
    #[error("{path}: {source}", path = path.display())]
    Model {
        /// The file.
        path: PathBuf,
        /// Why.
        source: ModelError,
    },
    /// The model has no place.
    #[error("cannot write {path}: its folder is not there", path = path.display())]
    NoFolder {
        /// The file.
        path: PathBuf,
    },
    /// The model is there already.
    #[error("{path} exists already: overwrite it with --force", path = path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// Somebody else has put a file where the model was to be written.
    #[error(
        "{path} was not there when the training began: move it away and finish with --resume, or begin anew with --force",
        path = path.display()
    )]
    Appeared {
        /// The file.
        path: PathBuf,
    },
    /// An interrupted training is there.
    #[error("{path} holds a training that was interrupted: go on with --resume, or begin anew with --force", path = path.display())]
    Unfinished {
        /// The file.
        path: PathBuf,
    },
    /// The interrupted training is another one.
    #[error(
        "{path} belongs to a training with other {what}, or begin anew with --force",
        path = path.display(),
        what = if *rivals { "models or preset files of its rivals: put those back" } else { "arguments: give those" }
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// Whether no more differs than by what its rivals play.
        rivals: bool,
    },
    /// The interrupted training goes on from a model that is not there.
    #[error("{path} is missing, from which {progress} goes on: put it back, or begin anew with --force", path = path.display(), progress = progress.display())]
    Missing {
        /// The model.
        path: PathBuf,
        /// The file of progress.
        progress: PathBuf,
    },
    /// The interrupted training cannot be resumed.
    #[error("{path} is damaged: begin anew with --force", path = path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
    },
    /// A file cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The weights cannot be stored.
    #[error(transparent)]
    Unstorable(#[from] ModelError),
    /// What was learnt could not be written.
    #[error("cannot write {path}: {source}", path = path.display())]
    Unwritten {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl TrainError {
    /// Whether nothing was begun, because what was asked cannot be done.
    #[must_use]
    pub fn is_bad_input(&self) -> bool {
        match self {
            Self::Folder(error) => error.is_bad_input(),
            error => !matches!(
                error,
                Self::Appeared { .. } | Self::Unwritten { .. } | Self::Unstorable(_) | Self::Panic { .. }
            ),
        }
    }

    /// Whether something that stands in the recipe is wrong.
    #[must_use]
    pub fn is_of_recipe(&self) -> bool {
        matches!(
            self,
            Self::Game(_)
                | Self::NoStages
                | Self::NoneHeldOut
                | Self::Schedule(_)
                | Self::Training(_)
                | Self::Batch { .. }
                | Self::Stage { .. }
        )
    }
}
