//! Blocks: the trace, its clocks, streams and events.

use super::{Parsed, Parser};
use crate::ctf::field_class::{ClockClass, EventClass, FieldClass, StreamClass};
use crate::ctf::lexer::Token;
use std::sync::Arc;

/// The fields that a block declares, such as `packet.context`.
type Declarations = Vec<(String, Arc<FieldClass>)>;

type Attributes = Vec<(String, String)>;

impl Parser<'_> {
    pub(super) fn top_level(&mut self) -> Parsed<()> {
        if self.declaration()? {
            return Ok(());
        }
        let keyword = self.word()?;
        match keyword.as_str() {
            "trace" => self.trace(),
            "env" => {
                let (attributes, _) = self.block()?;
                self.metadata.environment.extend(attributes);
                Ok(())
            }
            "clock" => self.clock(),
            "stream" => self.stream(),
            "event" => self.event(),
            "callsite" => self.block().map(drop),
            _ => {
                self.at -= 1;
                self.error(format!("unexpected `{keyword}`"))
            }
        }
    }

    /// The attributes and the declarations of a block.
    fn block(&mut self) -> Parsed<(Attributes, Declarations)> {
        self.expect("{")?;
        let parsed = self.nested(|parser| {
            let (mut attributes, mut declarations) = (Vec::new(), Vec::new());
            while !parser.take("}") {
                if parser.declaration()? {
                    continue;
                }
                if parser.is_declaration() {
                    let mut path = parser.word()?;
                    while parser.take(".") {
                        path.push('.');
                        path.push_str(&parser.word()?);
                    }
                    parser.expect(":=")?;
                    declarations.push((path, parser.type_specifier(false)?));
                    parser.expect(";")?;
                } else {
                    attributes.push(parser.attribute()?);
                }
            }
            Ok((attributes, declarations))
        })?;
        let _ = self.take(";");
        Ok(parsed)
    }

    /// Whether `path := …` is next.
    fn is_declaration(&self) -> bool {
        let rest = self.tokens.iter().skip(self.at).map(|(token, _)| token);
        let mut after =
            rest.skip_while(|token| matches!(token, Token::Word(_) | Token::Symbol(".")));
        after.next() == Some(&Token::Symbol(":="))
    }

    fn trace(&mut self) -> Parsed<()> {
        // Types without a byte order have that of the trace, wherever it is declared.
        let (attributes, declarations) = self.block()?;
        for (name, value) in &attributes {
            match name.as_str() {
                "byte_order" => self.metadata.order = self.byte_order(value)?,
                "uuid" => self.metadata.uuid = uuid(value),
                "major" if value != "1" => {
                    return self.error(format!("version {value} of TSDL is not known"));
                }
                _ => {}
            }
        }
        self.metadata.packet_header = find(&declarations, "packet.header");
        Ok(())
    }

    fn clock(&mut self) -> Parsed<()> {
        let (attributes, _) = self.block()?;
        let number = |name: &str| -> Option<i128> {
            let (_, value) = attributes.iter().find(|(key, _)| key == name)?;
            value.parse().ok()
        };
        let signed = |name: &str| {
            number(name)
                .and_then(|it| i64::try_from(it).ok())
                .unwrap_or(0)
        };
        let name = attributes.iter().find(|(key, _)| key == "name");
        let has_frequency = attributes.iter().any(|(key, _)| key == "freq");
        let hertz = number("freq").and_then(|hertz| u64::try_from(hertz).ok());
        self.metadata.clocks.push(ClockClass {
            name: name.map(|(_, name)| name.clone()).unwrap_or_default(),
            hertz: match has_frequency {
                true => hertz.unwrap_or(0),
                false => ClockClass::DEFAULT_HERTZ,
            },
            offset_seconds: signed("offset_s"),
            offset: signed("offset"),
        });
        Ok(())
    }

    fn stream(&mut self) -> Parsed<()> {
        let (attributes, declarations) = self.block()?;
        self.metadata.streams.push(StreamClass {
            id: number(&attributes, "id").unwrap_or(0),
            packet_context: find(&declarations, "packet.context"),
            event_header: find(&declarations, "event.header"),
            event_context: find(&declarations, "event.context"),
            clock: None,
        });
        Ok(())
    }

    fn event(&mut self) -> Parsed<()> {
        let (attributes, declarations) = self.block()?;
        let id = number(&attributes, "id").unwrap_or(0);
        let name = attributes.iter().find(|(key, _)| key == "name");
        self.metadata.events.push(EventClass {
            id,
            stream_id: number(&attributes, "stream_id"),
            name: name.map_or_else(|| format!("event {id}"), |(_, name)| name.clone()),
            context: find(&declarations, "context"),
            fields: find(&declarations, "fields"),
        });
        Ok(())
    }
}

fn number(attributes: &Attributes, name: &str) -> Option<u64> {
    let (_, value) = attributes.iter().find(|(key, _)| key == name)?;
    value.parse().ok()
}

fn find(declarations: &Declarations, name: &str) -> Option<Arc<FieldClass>> {
    let found = declarations.iter().find(|(path, _)| path == name);
    found.map(|(_, class)| Arc::clone(class))
}

/// The bytes of a UUID.
fn uuid(text: &str) -> Option<[u8; 16]> {
    let digits: String = text.chars().filter(|letter| *letter != '-').collect();
    let value = u128::from_str_radix(&digits, 16).ok()?;
    (digits.len() == 32).then(|| value.to_be_bytes())
}
