//! The book: its generated parts are written, mdBook builds it, and every link in it is
//! checked.

use crate::workspace::{ALL, ROOT};
use crate::{cost, packages, shell};
use anyhow::{Context as _, bail, ensure};
use html5gum::{StartTag, Token, Tokenizer};
use percent_encoding::percent_decode_str;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

/// The beginning of a line that includes a file.
const INCLUDE: &str = "{{#include";

/// The program in `docs/generator`.
const GENERATOR: &str = "book-generator";

const MDBOOK_VERSION: &str = "0.5.4";

/// Pages for readers of the repository, outside the book.
const PAGES: [&str; 3] = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"];

/// Builds the book into the target folder and fails on a broken link.
pub(crate) fn test() -> anyhow::Result<()> {
    let target = shell::target()?;
    let source = source(&target)?;
    let mdbook = packages::cargo_install("mdbook", MDBOOK_VERSION)?;
    let book = target.join("book");
    let mut build = shell::program(&mdbook.to_string_lossy(), &["build"]);
    shell::run(build.arg(source).arg("--dest-dir").arg(&book))?;
    let mut broken = broken_links(&book)?;
    for page in PAGES {
        broken.extend(broken_markdown_links(page)?);
    }
    if broken.is_empty() {
        return Ok(());
    }
    broken.sort();
    broken.dedup();
    bail!("broken links:\n{}", broken.join("\n"))
}

/// Copies the book into a folder of its own and writes the generated parts, which its pages
/// include.
fn source(target: &Path) -> anyhow::Result<PathBuf> {
    let source = target.join("book-source");
    if source.exists() {
        fs::remove_dir_all(&source).with_context(|| source.display().to_string())?;
    }
    let docs = shell::root().join("docs");
    let mut files = shell::files_below(&docs.join("src"))?;
    files.push(docs.join("book.toml"));
    for file in files {
        let copy = source.join(file.strip_prefix(&docs)?);
        fs::create_dir_all(copy.parent().unwrap_or(&source))?;
        fs::copy(&file, &copy).with_context(|| copy.display().to_string())?;
    }
    let generated = source.join("src/generated");
    // With the features that the workspace selects, its dependencies are compiled once.
    shell::run(ROOT.cargo(&["build", "--bin", GENERATOR])?.args(ALL))?;
    let generator = ROOT.program("debug", GENERATOR)?;
    shell::run(Command::new(generator).arg(&generated))?;
    fs::write(generated.join("cost.md"), cost::budget_tables()?)?;
    Ok(source)
}

/// The anchors of a page, and the links from it.
#[derive(Default)]
struct Page {
    anchors: HashSet<String>,
    links: Vec<String>,
}

impl Page {
    fn parse(html: &str) -> Self {
        let mut page = Self::default();
        for Ok(token) in Tokenizer::new(html) {
            if let Token::StartTag(tag) = token {
                page.add(&tag);
            }
        }
        page
    }

    fn add(&mut self, tag: &StartTag<()>) {
        let attribute = |name: &[u8]| {
            let value = tag.attributes.get(name)?;
            Some(String::from_utf8_lossy(value).into_owned())
        };
        self.anchors.extend(attribute(b"id"));
        if *tag.name == b"a"[..] {
            self.anchors.extend(attribute(b"name"));
        }
        self.links.extend(attribute(b"href"));
        self.links.extend(attribute(b"src"));
    }
}

/// Every link within the book whose file or anchor does not exist.
fn broken_links(book: &Path) -> anyhow::Result<Vec<String>> {
    let files: HashSet<PathBuf> = shell::files_below(book)?.into_iter().collect();
    let mut pages = HashMap::new();
    for file in &files {
        // The error page is served from any address and has a base of its own.
        let is_page = file
            .extension()
            .is_some_and(|extension| extension == "html");
        if is_page && !file.ends_with("404.html") {
            let html = fs::read_to_string(file).with_context(|| file.display().to_string())?;
            // mdBook leaves the line if there is no such file.
            ensure!(!html.contains(INCLUDE), "{}: {INCLUDE}", file.display());
            pages.insert(file.clone(), Page::parse(&html));
        }
    }
    let mut broken = Vec::new();
    for (file, page) in &pages {
        for link in page.links.iter().filter(|link| is_relative(link)) {
            let (path, anchor) = split_anchor(link);
            let destination = if path.is_empty() {
                file.clone()
            } else {
                join(file.parent().unwrap_or(book), &decode_percent(path))
            };
            let anchor_exists =
                |page: &Page| anchor.is_empty() || page.anchors.contains(&*decode_percent(anchor));
            let exists = match pages.get(&destination) {
                Some(page) => anchor_exists(page),
                None => files.contains(&destination) && anchor.is_empty(),
            };
            if !exists {
                let file = file.strip_prefix(book).unwrap_or(file);
                broken.push(format!("{}: {link}", file.display()));
            }
        }
    }
    Ok(broken)
}

/// Every inline link of a Markdown page at the root whose file does not exist. Their
/// anchors are not checked: what renders these pages decides how anchors are called.
fn broken_markdown_links(page: &str) -> anyhow::Result<Vec<String>> {
    let text = fs::read_to_string(shell::root().join(page)).with_context(|| page.to_owned())?;
    let mut broken = Vec::new();
    for part in text.split("](").skip(1) {
        let link = part.split(')').next().unwrap_or_default();
        let (path, _) = split_anchor(link);
        if is_relative(link) && !path.is_empty() && !shell::root().join(path).exists() {
            broken.push(format!("{page}: {link}"));
        }
    }
    Ok(broken)
}

/// Whether a link leads to this book rather than to another site.
fn is_relative(link: &str) -> bool {
    let scheme = link.split(['/', '#', '?']).next().unwrap_or_default();
    !scheme.contains(':') && !link.starts_with("//")
}

fn split_anchor(link: &str) -> (&str, &str) {
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    (path.split('?').next().unwrap_or_default(), anchor)
}

/// Resolves `..` and `.` by name alone.
fn join(folder: &Path, relative: &str) -> PathBuf {
    let mut path = folder.to_owned();
    for component in Path::new(relative).components() {
        match component {
            Component::ParentDir => _ = path.pop(),
            Component::Normal(name) => path.push(name),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    path
}

fn decode_percent(text: &str) -> Cow<'_, str> {
    percent_decode_str(text).decode_utf8_lossy()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_files_and_anchors_are_found() {
        let book = std::env::temp_dir().join(format!("rtoscope-book-{}", std::process::id()));
        fs::create_dir_all(book.join("part")).unwrap();
        let index = "<a href='part/page.html#there'>1</a> <a href='part/page.html#not'>2</a>\
            <a href='missing.html'>3</a> <a href='https://example.org/#x'>4</a>\
            <a href='#own'>5</a> <img src='part/%61.png'>";
        fs::write(book.join("index.html"), index).unwrap();
        let page = "<h2 id=there></h2><a href='../index.html'>6</a><a href='..#x'>7</a>";
        fs::write(book.join("part/page.html"), page).unwrap();
        fs::write(book.join("part/a.png"), "").unwrap();
        let mut broken = broken_links(&book).unwrap();
        broken.sort();
        fs::remove_dir_all(&book).unwrap();
        let expected = [
            "index.html: #own",
            "index.html: missing.html",
            "index.html: part/page.html#not",
            "part/page.html: ..#x",
        ];
        assert_eq!(
            broken,
            expected.map(|link| link.replace(
                "part/page.html:",
                &format!("part{}page.html:", std::path::MAIN_SEPARATOR)
            ))
        );
    }
}
