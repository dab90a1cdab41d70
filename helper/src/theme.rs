//! What a window's state looks like, the same everywhere: an icon and a colour for each, and the user's own.
//!
//! An icon tells states apart without any colour, and a colour without a glance at the icon.

use crate::model::{Need, StatusKind};
use crate::text;

/// What a window shows its user: its need where it has one that counts, else its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Face {
    /// [`Need::Permission`].
    Permission,
    /// [`Need::Question`].
    Question,
    /// [`Need::Failed`].
    Failed,
    /// [`Need::Done`].
    Done,
    /// [`StatusKind::Active`].
    Active,
    /// [`StatusKind::Running`].
    Running,
    /// [`StatusKind::Waiting`].
    Waiting,
    /// [`StatusKind::Idle`].
    Idle,
    /// [`StatusKind::Error`].
    Error,
    /// Set aside by its user until it changes.
    Parked,
}

impl Face {
    /// Every one, in the order of the enum.
    pub const ALL: [Face; 10] = [
        Face::Permission,
        Face::Question,
        Face::Failed,
        Face::Done,
        Face::Active,
        Face::Running,
        Face::Waiting,
        Face::Idle,
        Face::Error,
        Face::Parked,
    ];

    /// The face of a window of that kind which needs its user for that.
    pub fn of(kind: StatusKind, need: Option<Need>) -> Self {
        match (need, kind) {
            (Some(Need::Permission), _) => Face::Permission,
            (Some(Need::Question), _) => Face::Question,
            (Some(Need::Failed), _) => Face::Failed,
            (Some(Need::Done), _) => Face::Done,
            (None, StatusKind::Active) => Face::Active,
            (None, StatusKind::Running) => Face::Running,
            (None, StatusKind::Waiting) => Face::Waiting,
            (None, StatusKind::Idle) => Face::Idle,
            (None, StatusKind::Error) => Face::Error,
        }
    }

    /// Its word, on every output and in options.
    pub fn as_str(self) -> &'static str {
        match self {
            Face::Permission => "permission",
            Face::Question => "question",
            Face::Failed => "failed",
            Face::Done => "done",
            Face::Active => "active",
            Face::Running => "running",
            Face::Waiting => "waiting",
            Face::Idle => "idle",
            Face::Error => "error",
            Face::Parked => "parked",
        }
    }

    /// What it means, for people.
    pub fn meaning(self) -> &'static str {
        match self {
            Face::Permission => "waits for your yes or no",
            Face::Question => "asks you something",
            Face::Failed => "failed, and you have not looked yet",
            Face::Done => "done, and you have not looked yet",
            Face::Active => "something happens there",
            Face::Running => "runs, and is quiet",
            Face::Waiting => "a prompt that needs nobody",
            Face::Idle => "nothing happens, nothing asks",
            Face::Error => "an error, seen already",
            Face::Parked => "set aside until it changes",
        }
    }

    /// Whether it calls its user.
    pub fn calls(self) -> bool {
        matches!(self, Face::Permission | Face::Question | Face::Failed | Face::Done)
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|face| face.as_str() == name)
    }
}

/// Cells that one icon may take.
const WIDEST: usize = 4;

const UNICODE: [&str; 10] = ["!", "?", "✗", "✓", "●", "○", "›", "·", "✗", "‖"];
const ASCII: [&str; 10] = ["!", "?", "x", "*", ">", "-", ":", ".", "x", "="];

/// The icon of each face.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Icons([String; 10]);

impl Icons {
    /// As the option's value says, and what is wrong with it: what is wrong changes nothing. Where it names neither set,
    /// `plain` takes the one for terminals that show ASCII alone.
    pub fn read(option: &str, plain: bool) -> (Self, Option<String>) {
        let mut icons = Self(if plain { ASCII } else { UNICODE }.map(str::to_owned));
        let problem = each(option, |word| match word.split_once('=') {
            None if word == "unicode" => {
                icons.0 = UNICODE.map(str::to_owned);
                Ok(())
            }
            None if word == "ascii" => {
                icons.0 = ASCII.map(str::to_owned);
                Ok(())
            }
            None => Err(format!("{word:?} is neither unicode, ascii nor STATE=ICON")),
            Some((name, icon)) => {
                let icon = text::clean(icon);
                if icon.is_empty() || text::width(&icon) > WIDEST {
                    return Err(format!("the icon of {name:?} must be 1 to {WIDEST} cells wide"));
                }
                set(&mut icons.0, name, icon)
            }
        });
        (icons, problem)
    }

    /// A face's icon, at most four cells wide. Text of the user's: not inert in formats.
    pub fn icon(&self, face: Face) -> &str {
        self.0.get(face as usize).map_or("", String::as_str)
    }

    /// Whether all are ASCII: then so is what is drawn around them.
    pub fn are_ascii(&self) -> bool {
        self.0.iter().all(|icon| icon.is_ascii())
    }

    /// Cells of the widest one.
    pub fn width(&self) -> usize {
        self.0.iter().map(|icon| text::width(icon)).max().unwrap_or(0)
    }
}

/// A colour as terminals know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// The terminal's own.
    Default,
    /// One of 256; the first 16 are the terminal's palette.
    Indexed(u8),
    /// Red, green and blue.
    Rgb(u8, u8, u8),
}

const NAMES: [&str; 8] = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

impl Colour {
    /// Reads a colour as tmux names it: `red`, `brightred`, `colour208`, `#50fa7b`, `default`.
    pub fn named(name: &str) -> Option<Self> {
        let basic = |name: &str| NAMES.iter().position(|known| *known == name);
        let index = |index: usize| u8::try_from(index).ok().map(Colour::Indexed);
        if name == "default" {
            return Some(Colour::Default);
        }
        if let Some(hex) = name.strip_prefix('#') {
            let number = u32::from_str_radix(hex, 16).ok().filter(|_| hex.len() == 6)?;
            let [_, red, green, blue] = number.to_be_bytes();
            return Some(Colour::Rgb(red, green, blue));
        }
        if let Some(bright) = name.strip_prefix("bright") {
            return index(basic(bright)? + 8);
        }
        let number = name.strip_prefix("colour").or_else(|| name.strip_prefix("color"));
        match number {
            Some(number) => number.parse().ok().map(Colour::Indexed),
            None => index(basic(name)?),
        }
    }

    /// As a tmux style names it.
    pub fn for_tmux(self) -> String {
        match self {
            Colour::Default => "default".to_owned(),
            Colour::Indexed(index) => format!("colour{index}"),
            Colour::Rgb(red, green, blue) => format!("#{red:02x}{green:02x}{blue:02x}"),
        }
    }

    /// As a terminal's escape sequence for the text's colour takes it (ECMA-48 SGR).
    pub fn for_terminal(self) -> String {
        match self {
            Colour::Default => "39".to_owned(),
            Colour::Indexed(index @ 0..=7) => format!("3{index}"),
            Colour::Indexed(index @ 8..=15) => format!("9{}", index - 8),
            Colour::Indexed(index) => format!("38;5;{index}"),
            Colour::Rgb(red, green, blue) => format!("38;2;{red};{green};{blue}"),
        }
    }
}

/// From the terminal's own palette, so that they fit to what it shows otherwise.
const USUAL: [Colour; 10] = [
    Colour::Indexed(3),
    Colour::Indexed(3),
    Colour::Indexed(1),
    Colour::Indexed(2),
    Colour::Indexed(2),
    Colour::Indexed(6),
    Colour::Indexed(4),
    Colour::Indexed(8),
    Colour::Indexed(1),
    Colour::Indexed(8),
];

/// The colour of each face.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Colours([Colour; 10]);

impl Colours {
    /// As the option's value says, and what is wrong with it: what is wrong changes nothing.
    pub fn read(option: &str) -> (Self, Option<String>) {
        let mut colours = Self(USUAL);
        let problem = each(option, |word| match word.split_once('=') {
            None if word == "default" => {
                colours.0 = USUAL;
                Ok(())
            }
            None if word == "none" => {
                colours.0 = [Colour::Default; 10];
                Ok(())
            }
            None => Err(format!("{word:?} is neither default, none nor STATE=COLOUR")),
            Some((name, colour)) => {
                let named = Colour::named(colour).ok_or_else(|| format!("{colour:?} is no colour that tmux knows"))?;
                set(&mut colours.0, name, named)
            }
        });
        (colours, problem)
    }

    /// A face's colour.
    pub fn colour(&self, face: Face) -> Colour {
        self.0.get(face as usize).copied().unwrap_or(Colour::Default)
    }
}

/// How states look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theme {
    /// The icon of each.
    pub icons: Icons,
    /// The colour of each.
    pub colours: Colours,
}

impl Theme {
    /// As the values of the two options say; what is wrong in them changes nothing. See [`Icons::read`] for `plain`.
    pub fn read(icons: &str, colours: &str, plain: bool) -> Self {
        Self {
            icons: Icons::read(icons, plain).0,
            colours: Colours::read(colours).0,
        }
    }
}

/// Does `act` with each word; the first problem.
fn each(option: &str, mut act: impl FnMut(&str) -> Result<(), String>) -> Option<String> {
    option.split_whitespace().fold(None, |problem: Option<String>, word| {
        let new = act(word).err();
        problem.or(new)
    })
}

fn set<T>(all: &mut [T; 10], name: &str, value: T) -> Result<(), String> {
    let face = Face::named(name).ok_or_else(|| {
        let names = Face::ALL.map(Face::as_str).join(", ");
        format!("{name:?} is no state; there are {names}")
    })?;
    if let Some(place) = all.get_mut(face as usize) {
        *place = value;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn icons_are_a_set_and_what_the_user_changes_in_it() {
        let (icons, problem) = Icons::read("question=?? ascii done=ok", false);
        assert_eq!(problem, None);
        assert_eq!((icons.icon(Face::Question), icons.icon(Face::Done)), ("?", "ok"));
        assert_eq!((icons.icon(Face::Active), icons.width()), (">", 2));
        assert_eq!(Icons::read("", true).0, Icons::read("ascii", false).0);
        assert_eq!(Icons::read("unicode", true).0, Icons::read("", false).0);
    }

    #[test]
    fn what_is_wrong_is_named_and_changes_nothing() {
        for (option, word) in [
            ("emoji", "emoji"),
            ("doing=x", "doing"),
            ("done=", "done"),
            ("done=abcde", "4 cells"),
        ] {
            let (icons, problem) = Icons::read(option, false);
            assert!(problem.is_some_and(|p| p.contains(word)), "{option}");
            assert_eq!(icons, Icons::read("", false).0);
        }
        for (option, word) in [("pink", "pink"), ("done=pinkish", "pinkish"), ("done=#12345", "#12345")] {
            let (colours, problem) = Colours::read(option);
            assert!(problem.is_some_and(|p| p.contains(word)), "{option}");
            assert_eq!(colours, Colours::read("").0);
        }
    }

    #[test]
    fn faces_that_differ_in_what_they_ask_differ_without_colour() {
        for option in ["unicode", "ascii"] {
            let (icons, _) = Icons::read(option, false);
            for one in Face::ALL {
                for other in Face::ALL {
                    let failures = [Face::Failed, Face::Error];
                    let alike = one == other || failures.contains(&one) && failures.contains(&other);
                    assert_eq!(icons.icon(one) == icons.icon(other), alike, "{one:?} {other:?}");
                }
            }
            assert_eq!(icons.width(), 1);
        }
    }

    #[test]
    fn colours_are_read_and_written_as_tmux_and_terminals_name_them() {
        for (name, tmux, terminal) in [
            ("red", "colour1", "31"),
            ("brightred", "colour9", "91"),
            ("colour208", "colour208", "38;5;208"),
            ("#50fa7b", "#50fa7b", "38;2;80;250;123"),
            ("default", "default", "39"),
        ] {
            let colour = Colour::named(name).unwrap();
            assert_eq!(
                (colour.for_tmux().as_str(), colour.for_terminal().as_str()),
                (tmux, terminal)
            );
        }
        assert_eq!(Colour::named("#ééé"), None);
        let (colours, _) = Colours::read("none question=colour208");
        assert_eq!(colours.colour(Face::Question), Colour::Indexed(208));
        assert_eq!(colours.colour(Face::Done), Colour::Default);
    }
}
