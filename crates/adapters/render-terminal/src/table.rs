//! Tables: columns side by side where there is room, otherwise each row as a list.

use crate::screen::Screen;
use crate::text::{FAINT, PLAIN, STRONG, Span};
use crate::wrap::{Breaks, columns, wrap};

/// On which side of its column a cell stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Centre,
    Right,
}

/// The cells of a table, each a line of spans. A row with too few cells is as if it had empty ones.
pub(crate) struct Grid {
    pub(crate) head: Vec<Vec<Span>>,
    pub(crate) rows: Vec<Vec<Vec<Span>>>,
    pub(crate) sides: Vec<Side>,
}

/// The least width of a column.
const LEAST: usize = 3;
const BETWEEN: &str = " │ ";

impl Grid {
    pub(crate) fn write(&self, screen: &mut Screen) {
        match self.widths(screen.room()) {
            Some(widths) => {
                let head: Vec<Vec<Span>> = self.head.iter().map(|cell| strong(cell)).collect();
                self.row(&head, &widths, screen);
                let rule = widths.iter().map(|width| "─".repeat(*width)).collect::<Vec<_>>().join("─┼─");
                screen.line(&[Span::new(&rule, FAINT)]);
                for row in &self.rows {
                    self.row(row, &widths, screen);
                }
            }
            None => self.list(screen),
        }
    }

    /// How wide each column is, or that there is no room for all of them.
    fn widths(&self, room: usize) -> Option<Vec<usize>> {
        let between = BETWEEN.chars().count() * self.head.len().saturating_sub(1);
        let mut widths: Vec<usize> = (0..self.head.len())
            .map(|at| {
                let cells = std::iter::once(&self.head).chain(&self.rows).filter_map(|row| row.get(at));
                cells.map(|cell| cell_columns(cell)).max().unwrap_or(0).max(1)
            })
            .collect();
        if widths.iter().map(|width| (*width).min(LEAST)).sum::<usize>() + between > room {
            return None;
        }
        // The widest give way until all fit.
        let mut over = (widths.iter().sum::<usize>() + between).saturating_sub(room);
        while over > 0 {
            let widest = widths.iter().copied().max()?;
            let next = widths.iter().copied().filter(|width| *width < widest).max().unwrap_or(0).max(LEAST);
            let many: Vec<usize> = (0..widths.len()).filter(|at| widths[*at] == widest).collect();
            let each = (widest - next).min(over.div_ceil(many.len())).max(1);
            for at in many {
                let cut = each.min(over);
                widths[at] -= cut;
                over -= cut;
            }
        }
        Some(widths)
    }

    fn row(&self, row: &[Vec<Span>], widths: &[usize], screen: &mut Screen) {
        let cells: Vec<Vec<Vec<Span>>> = widths
            .iter()
            .enumerate()
            .map(|(at, width)| row.get(at).map_or_else(Vec::new, |cell| wrap(cell, *width, Breaks::Words)))
            .collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0).max(1);
        for line in 0..height {
            let mut spans = Vec::new();
            for (at, width) in widths.iter().enumerate() {
                if at > 0 {
                    spans.push(Span::new(BETWEEN, FAINT));
                }
                let piece = cells[at].get(line).cloned().unwrap_or_default();
                let free = width.saturating_sub(cell_columns(&piece));
                let before = match self.sides.get(at) {
                    Some(Side::Right) => free,
                    Some(Side::Centre) => free / 2,
                    Some(Side::Left) | None => 0,
                };
                spans.push(Span::new(&" ".repeat(before), PLAIN));
                spans.extend(piece);
                spans.push(Span::new(&" ".repeat(free - before), PLAIN));
            }
            screen.line(&spans);
        }
    }

    /// Each row as lines of `label: cell`.
    fn list(&self, screen: &mut Screen) {
        for row in &self.rows {
            screen.enter("- ", "  ");
            for (label, cell) in self.head.iter().zip(row) {
                let mut spans = strong(label);
                spans.push(Span::new(": ", PLAIN));
                spans.extend(cell.iter().cloned());
                screen.lines(&spans, Breaks::Words);
            }
            screen.leave();
        }
    }
}

fn cell_columns(cell: &[Span]) -> usize {
    cell.iter().map(|span| columns(&span.text)).sum()
}

fn strong(cell: &[Span]) -> Vec<Span> {
    cell.iter().map(|span| Span { style: STRONG, ..span.clone() }).collect()
}
