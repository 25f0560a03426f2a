//! Types: what fields are made of, and their names.

use super::{Parsed, Parser};
use crate::ctf::field_class::{
    FieldClass, IntegerClass, Length, Location, Mapping, Range, Scope, StructClass, VariantOption,
};
use crate::ctf::lexer::Token;
use rtoscope_wire::ByteOrder;
use std::sync::Arc;

/// Dynamic scopes, as locations of fields name them.
const SCOPES: [(&[&str], Scope); 6] = [
    (&["trace", "packet", "header"], Scope::PacketHeader),
    (&["stream", "packet", "context"], Scope::PacketContext),
    (&["stream", "event", "header"], Scope::EventHeader),
    (&["stream", "event", "context"], Scope::StreamEventContext),
    (&["event", "context"], Scope::EventContext),
    (&["event", "fields"], Scope::EventFields),
];

/// A field's name as readers show it: an underscore at its start only avoids keywords.
pub(super) fn field_name(word: &str) -> &str {
    word.strip_prefix('_')
        .filter(|it| !it.is_empty())
        .unwrap_or(word)
}

impl Parser<'_> {
    /// Parses a declaration of a name for a type, if one is next.
    pub(super) fn declaration(&mut self) -> Parsed<bool> {
        if self.take("typealias") {
            let class = self.type_specifier(false)?;
            self.expect(":=")?;
            let name = self.type_words()?;
            self.expect(";")?;
            self.define(name, class);
        } else if self.take("typedef") {
            let class = self.type_specifier(true)?;
            loop {
                let (name, class) = self.declarator(&class)?;
                self.define(name, class);
                if !self.take(",") {
                    break;
                }
            }
            self.expect(";")?;
        } else if self.declares_named_type() {
            self.type_specifier(false)?;
            self.expect(";")?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// Whether `struct name { … };` is next, without a field.
    fn declares_named_type(&self) -> bool {
        let token = |ahead: usize| self.tokens.get(self.at + ahead).map(|(token, _)| token);
        let is_type = matches!(token(0), Some(Token::Word(word))
            if matches!(word.as_str(), "struct" | "variant" | "enum"));
        let has_name = matches!(token(1), Some(Token::Word(_)));
        if !is_type || !has_name {
            return false;
        }
        // Up to the end of the body.
        let mut depth = 0_usize;
        let mut tokens = self.tokens.iter().skip(self.at).map(|(token, _)| token);
        while let Some(token) = tokens.next() {
            match token {
                Token::Symbol("{") => depth += 1,
                Token::Symbol("}") if depth <= 1 => {
                    let mut after = tokens.next();
                    if after == Some(&Token::Word("align".to_owned())) {
                        // Its number in parentheses.
                        after = tokens.nth(3);
                    }
                    return after == Some(&Token::Symbol(";"));
                }
                Token::Symbol("}") => depth -= 1,
                Token::Symbol(";") if depth == 0 => return false,
                _ => {}
            }
        }
        false
    }

    /// Words up to a symbol: the name of a type.
    fn type_words(&mut self) -> Parsed<String> {
        let mut words = vec![self.word()?];
        loop {
            match self.peek() {
                Some(Token::Word(word)) => words.push(word.clone()),
                Some(Token::Symbol("*")) => words.push("*".to_owned()),
                _ => return Ok(words.join(" ")),
            }
            self.at += 1;
        }
    }

    /// Parses a type; the name of a field follows it if `has_declarator`.
    pub(super) fn type_specifier(&mut self, has_declarator: bool) -> Parsed<Arc<FieldClass>> {
        let _ = self.take("const");
        let Some(Token::Word(word)) = self.peek() else {
            return self.error("expected a type");
        };
        match word.as_str() {
            "integer" => {
                self.at += 1;
                self.nested(Self::integer)
            }
            "floating_point" => {
                self.at += 1;
                self.nested(Self::float)
            }
            "string" => {
                self.at += 1;
                if self.take("{") {
                    while !self.take("}") {
                        let _ = self.attribute()?;
                    }
                }
                Ok(Arc::new(FieldClass::Text))
            }
            "struct" => {
                self.at += 1;
                self.nested_type("struct", Self::structure)
            }
            "variant" => {
                self.at += 1;
                self.variant()
            }
            "enum" => {
                self.at += 1;
                self.enumeration()
            }
            _ => self.named_type(has_declarator),
        }
    }

    fn named_type(&mut self, has_declarator: bool) -> Parsed<Arc<FieldClass>> {
        let start = self.at;
        let mut words = Vec::new();
        while let Some(Token::Word(word)) = self.peek() {
            words.push(word.as_str());
            self.at += 1;
        }
        if has_declarator {
            words.pop();
            self.at -= 1;
        }
        let name = words.join(" ");
        match self.find(&name) {
            Some(class) => Ok(class),
            None => {
                self.at = start;
                self.error(format!("there is no type `{name}`"))
            }
        }
    }

    /// A type with an optional name and an optional body.
    fn nested_type(
        &mut self,
        keyword: &str,
        body: impl FnOnce(&mut Self) -> Parsed<FieldClass>,
    ) -> Parsed<Arc<FieldClass>> {
        let name = match self.peek() {
            Some(Token::Word(word)) => Some(format!("{keyword} {word}")),
            _ => None,
        };
        self.at += usize::from(name.is_some());
        if !self.take("{") {
            let known = name.as_deref().and_then(|name| self.find(name));
            let unknown = name.unwrap_or_else(|| keyword.to_owned());
            return known.map_or_else(|| self.error(format!("there is no `{unknown}`")), Ok);
        }
        let class = Arc::new(self.nested(body)?);
        if let Some(name) = name {
            self.define(name, Arc::clone(&class));
        }
        Ok(class)
    }

    fn structure(&mut self) -> Parsed<FieldClass> {
        let mut fields = Vec::new();
        while !self.take("}") {
            if !self.declaration()? {
                self.fields(&mut fields)?;
            }
        }
        let mut align = 1;
        if self.take("align") {
            self.expect("(")?;
            align = self.alignment()?;
            self.expect(")")?;
        }
        Ok(FieldClass::Struct(StructClass { fields, align }))
    }

    fn alignment(&mut self) -> Parsed<u32> {
        match u32::try_from(self.number()?) {
            Ok(align) if align.is_power_of_two() && align <= 1 << 16 => Ok(align),
            _ => self.error("an alignment is a power of two"),
        }
    }

    /// The fields of a declaration: `type name[3], other;`.
    fn fields(&mut self, fields: &mut Vec<(String, Arc<FieldClass>)>) -> Parsed<()> {
        let class = self.type_specifier(true)?;
        loop {
            let (name, class) = self.declarator(&class)?;
            fields.push((field_name(&name).to_owned(), class));
            if !self.take(",") {
                return self.expect(";");
            }
        }
    }

    /// A name with the lengths of arrays.
    fn declarator(&mut self, class: &Arc<FieldClass>) -> Parsed<(String, Arc<FieldClass>)> {
        let name = self.word()?;
        let mut lengths = Vec::new();
        while self.take("[") {
            lengths.push(match self.peek() {
                Some(Token::Number(_)) => match u64::try_from(self.number()?) {
                    Ok(length) => Length::Fixed(length),
                    Err(_) => return self.error("a length is not negative"),
                },
                _ => Length::Field(self.location("]")?),
            });
            self.expect("]")?;
            if lengths.len() > 8 {
                return self.error("an array has more than 8 dimensions");
            }
        }
        let mut class = Arc::clone(class);
        for length in lengths.into_iter().rev() {
            let is_text = matches!(&*class, FieldClass::Integer(byte) if byte.is_text);
            class = Arc::new(FieldClass::Array {
                element: class,
                length,
                align: 1,
                is_text,
                role: None,
            });
        }
        Ok((name, class))
    }

    /// The place of a field, up to a symbol.
    fn location(&mut self, end: &str) -> Parsed<Location> {
        let mut path = vec![self.word()?];
        while self.take(".") {
            path.push(self.word()?);
        }
        if !matches!(self.peek(), Some(Token::Symbol(symbol)) if *symbol == end) {
            return self.error(format!("expected `{end}`"));
        }
        let starts = |scope: &[&str]| {
            path.len() > scope.len() && path.iter().zip(scope).all(|(word, it)| word == it)
        };
        let scope = SCOPES.iter().find(|(words, _)| starts(words));
        let rest = scope.map_or(0, |(words, _)| words.len());
        let rest = path
            .iter()
            .skip(rest)
            .map(|word| field_name(word).to_owned());
        Ok(Location {
            scope: scope.map(|(_, scope)| *scope),
            path: rest.collect(),
        })
    }

    fn variant(&mut self) -> Parsed<Arc<FieldClass>> {
        let name = match self.peek() {
            Some(Token::Word(word)) => Some(format!("variant {word}")),
            _ => None,
        };
        self.at += usize::from(name.is_some());
        let selector = match self.take("<") {
            true => {
                let location = self.location(">")?;
                self.expect(">")?;
                Some(location)
            }
            false => None,
        };
        let options = if self.take("{") {
            let options = self.nested(|parser| {
                let mut fields = Vec::new();
                while !parser.take("}") {
                    if !parser.declaration()? {
                        parser.fields(&mut fields)?;
                    }
                }
                Ok(fields)
            })?;
            let options = options.into_iter().map(|(name, class)| VariantOption {
                name,
                ranges: None,
                class,
            });
            options.collect()
        } else {
            let known = name.as_deref().and_then(|name| self.find(name));
            match known.as_deref() {
                Some(FieldClass::Variant { options, .. }) => options.clone(),
                _ => return self.error("there is no such variant"),
            }
        };
        // A variant without a selector is only a name for its options.
        let selector = selector.unwrap_or(Location {
            scope: None,
            path: Vec::new(),
        });
        let class = Arc::new(FieldClass::Variant { selector, options });
        if let Some(name) = name {
            self.define(name, Arc::clone(&class));
        }
        Ok(class)
    }

    fn enumeration(&mut self) -> Parsed<Arc<FieldClass>> {
        let name = match self.peek() {
            Some(Token::Word(word)) => Some(format!("enum {word}")),
            _ => None,
        };
        self.at += usize::from(name.is_some());
        let base = match self.take(":") {
            true => Some(self.type_specifier(false)?),
            false => self.find("int"),
        };
        if !self.take("{") {
            let known = name.as_deref().and_then(|name| self.find(name));
            return known.map_or_else(|| self.error("there is no such enum"), Ok);
        }
        let base = match base.as_deref() {
            Some(FieldClass::Integer(base)) => base.clone(),
            _ => return self.error("an enum needs the type of an integer"),
        };
        let mut mappings = Vec::new();
        let mut next = 0_i128;
        while !self.take("}") {
            let label = match self.next() {
                Some(Token::Word(text) | Token::Text(text)) => text.clone(),
                _ => return self.error("expected the name of a value"),
            };
            let mut range = Range(next, next);
            if self.take("=") {
                let first = self.number()?;
                let last = if self.take("...") {
                    self.number()?
                } else {
                    first
                };
                range = Range(first, last);
            }
            next = range.1.saturating_add(1);
            mappings.push(Mapping { name: label, range });
            if !self.take(",") {
                self.expect("}")?;
                break;
            }
        }
        let class = Arc::new(FieldClass::Integer(IntegerClass {
            mappings: mappings.into(),
            ..base
        }));
        if let Some(name) = name {
            self.define(name, Arc::clone(&class));
        }
        Ok(class)
    }

    fn integer(&mut self) -> Parsed<Arc<FieldClass>> {
        let mut class = IntegerClass::unsigned(0, 0);
        let mut size = 0;
        self.expect("{")?;
        while !self.take("}") {
            let (name, value) = self.attribute()?;
            let number = || value.parse::<i128>().ok();
            match name.as_str() {
                "size" => size = number().unwrap_or(0),
                "align" => class.align = self.valid_alignment(number())?,
                "signed" => class.signed = matches!(value.as_str(), "true" | "TRUE" | "1"),
                "byte_order" => class.order = self.byte_order(&value)?,
                "base" => {
                    let base = value.to_ascii_lowercase();
                    class.is_hex =
                        matches!(base.as_str(), "16" | "hexadecimal" | "hex" | "x" | "p");
                }
                "encoding" => {
                    let encoding = value.to_ascii_uppercase();
                    class.is_text = matches!(encoding.as_str(), "UTF8" | "UTF-8" | "ASCII");
                }
                "map" => {
                    let clock = value.strip_prefix("clock.");
                    let clock = clock.and_then(|it| it.strip_suffix(".value"));
                    class.clock = clock.map(str::to_owned);
                }
                _ => {}
            }
        }
        class.bits = match u8::try_from(size) {
            Ok(bits @ 1..=64) => bits,
            _ => return self.error(format!("an integer has 1 to 64 bits, not {size}")),
        };
        if class.align == 0 {
            class.align = if class.bits.is_multiple_of(8) { 8 } else { 1 };
        }
        Ok(Arc::new(FieldClass::Integer(class)))
    }

    fn float(&mut self) -> Parsed<Arc<FieldClass>> {
        let (mut exponent, mut mantissa, mut align, mut order) = (0, 0, 0, None);
        self.expect("{")?;
        while !self.take("}") {
            let (name, value) = self.attribute()?;
            let number = || value.parse::<i128>().ok();
            match name.as_str() {
                "exp_dig" => exponent = number().unwrap_or(0),
                "mant_dig" => mantissa = number().unwrap_or(0),
                "align" => align = self.valid_alignment(number())?,
                "byte_order" => order = self.byte_order(&value)?,
                _ => {}
            }
        }
        let bits = match (exponent, mantissa) {
            (8, 24) => 32,
            (11, 53) => 64,
            _ => return self.error("a float has 8 + 24 or 11 + 53 bits"),
        };
        let align = if align == 0 { 8 } else { align };
        Ok(Arc::new(FieldClass::Float { bits, align, order }))
    }

    fn valid_alignment(&self, value: Option<i128>) -> Parsed<u32> {
        match value.and_then(|value| u32::try_from(value).ok()) {
            Some(align) if align.is_power_of_two() && align <= 1 << 16 => Ok(align),
            _ => self.error("an alignment is a power of two"),
        }
    }

    /// `None` for that of the trace.
    pub(super) fn byte_order(&self, value: &str) -> Parsed<Option<ByteOrder>> {
        match value {
            "le" => Ok(Some(ByteOrder::Little)),
            "be" | "network" => Ok(Some(ByteOrder::Big)),
            "native" => Ok(None),
            _ => self.error(format!("no byte order: `{value}`")),
        }
    }

    /// `name = value;`, with the words of the value joined.
    pub(super) fn attribute(&mut self) -> Parsed<(String, String)> {
        let mut name = self.word()?;
        while self.take(".") {
            name.push('.');
            name.push_str(&self.word()?);
        }
        self.expect("=")?;
        let mut value = String::new();
        while !self.take(";") {
            match self.next() {
                Some(Token::Word(text) | Token::Text(text)) => value.push_str(text),
                Some(Token::Number(number)) => value.push_str(&number.to_string()),
                Some(Token::Symbol(symbol @ ("." | "-"))) => value.push_str(symbol),
                Some(Token::Symbol("+")) => {}
                // The last attribute of a block may have no semicolon.
                Some(Token::Symbol("}")) => {
                    self.at -= 1;
                    break;
                }
                _ => return self.error(format!("the value of `{name}` does not end")),
            }
        }
        Ok((name, value))
    }
}
