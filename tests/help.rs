//! Every help text, as a reader sees it: a change to one is a change that shows.

use clap::Command;
use tmux_status::cli;

#[test]
fn the_help_texts_are_those_of_the_snapshot() {
    let mut root = cli::whole().term_width(100);
    root.build();
    let mut text = root.render_long_help().to_string();
    for command in root.get_subcommands_mut().filter(|command| !command.is_hide_set()) {
        let help = command.render_long_help();
        text += &format!("\n\n=== {}\n{help}", command.get_name());
        if command.get_name() == "workspace" {
            text += &below(command);
        }
    }
    insta::assert_snapshot!(text);
}

/// The help of a command's own commands.
fn below(command: &mut Command) -> String {
    let name = command.get_name().to_owned();
    let help = |below: &mut Command| {
        let help = below.render_long_help();
        format!("\n\n=== {name} {}\n{help}", below.get_name())
    };
    command.get_subcommands_mut().map(help).collect()
}
