import uPlot from 'uplot'
import type { Format } from '../../lib/format.ts'
import type { Calendar } from './calendar.ts'

interface Wanted {
  /** Calendar days, one bar each. */
  days: readonly string[]
  format: Format
  calendar: Calendar
  size: { width: number; height: number }
  /** Hears which bar the pointer is over. */
  onPoint: (at: number | null) => void
}

/** A colour of the theme as it is now; asked for whenever something is drawn. */
const colour = (name: string) => (): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

const font = '12px "Instrument Sans Variable", system-ui, sans-serif'
const dayPx = 64
const barShare = 0.72
const barMostPx = 44

/** How the days are drawn: bars in the accent, quiet lines, no legend. */
export function optionsFor({ days, format, calendar, size, onPoint }: Wanted): uPlot.Options {
  const ink = colour('--ink-2')
  const line = colour('--line')
  return {
    ...size,
    legend: { show: false },
    // On the right, room for half of the last day's name.
    padding: [8, 18, 0, 0],
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: {
      x: { time: false, range: () => [-0.5, days.length - 0.5] },
      // Never an empty axis: at least one step above zero.
      y: { range: (_plot, _least, most) => [0, Math.max(4, most * 1.08)] },
    },
    axes: [
      {
        stroke: ink,
        font,
        grid: { show: false },
        ticks: { show: false },
        size: 28,
        splits: (plot) => dayTicks(days.length, plot.width),
        values: (_plot, splits) => splits.map((at) => calendar.day(days[at] ?? days[0] ?? '')),
      },
      {
        stroke: ink,
        font,
        grid: { stroke: line, width: 1 },
        ticks: { show: false },
        size: 44,
        incrs: wholeSteps,
        values: (_plot, splits) => splits.map((value) => format.count(value)),
      },
    ],
    series: [
      {},
      {
        fill: colour('--accent'),
        width: 0,
        points: { show: false },
        paths: uPlot.paths.bars!({ size: [barShare, barMostPx], radius: 0.12 }), // part of the full build
      },
    ],
    hooks: { setCursor: [(plot) => onPoint(plot.cursor.idx ?? null)] },
  }
}

/** Only whole guests are counted. */
const wholeSteps = Array.from({ length: 7 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat()

/** Days with a name below them: as many as there is room for, the last one always. */
function dayTicks(count: number, widthPx: number): number[] {
  const step = Math.max(1, Math.ceil((count * dayPx) / Math.max(widthPx, dayPx)))
  const ticks: number[] = []
  for (let at = count - 1; at >= 0; at -= step) ticks.unshift(at)
  return ticks
}
