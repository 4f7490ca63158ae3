import uPlot from 'uplot'
import { useEffect, useRef, useState } from 'react'
import type { Format } from '../../lib/format.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { insights } from '../../messages/en/insights.ts'
import 'uplot/dist/uPlot.min.css'

interface ChartInput {
  /** One for each bar. */
  labels: readonly string[]
  /** The highest count of the axis; by default that of the bars. */
  highest?: number | undefined
  format: Format
  size: { width: number; height: number }
  /** Called with the index of the bar below the pointer. */
  onHover: (index: number | null) => void
}

/** Reads a colour of the current theme, or of forced colours; called at every redraw. */
const themeColour =
  (name: string) =>
  ({ root }: uPlot): string =>
    getComputedStyle(root).getPropertyValue(name).trim()

const chartFont = '12px "Instrument Sans Variable", system-ui, sans-serif'
const minLabelGapPx = 64
const barWidthRatio = 0.72
const maxBarPx = 44

/** Options of uPlot: bars in the accent colour, light grid lines, no legend. */
export function chartOptions({ labels, highest, format, size, onHover }: ChartInput): uPlot.Options {
  const labelColour = themeColour('--chart-label')
  const gridColour = themeColour('--chart-grid')
  return {
    ...size,
    legend: { show: false },
    // On the right, space for half of the last label.
    padding: [8, 18, 0, 0],
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: {
      x: { time: false, range: () => [-0.5, labels.length - 0.5] },
      // An axis without any counts still has steps above zero.
      y: { range: (_plot, _min, max) => [0, Math.max(4, (highest ?? max) * 1.08)] },
    },
    axes: [
      {
        stroke: labelColour,
        font: chartFont,
        grid: { show: false },
        ticks: { show: false },
        size: 28,
        splits: (plot) => labelledBars(labels.length, plot.width),
        values: (_plot, splits) => splits.map((index) => labels[index] ?? ''),
      },
      {
        stroke: labelColour,
        font: chartFont,
        grid: { stroke: gridColour, width: 1 },
        ticks: { show: false },
        size: 44,
        incrs: wholeNumberSteps,
        values: (_plot, splits) => splits.map((value) => format.count(value)),
      },
    ],
    series: [
      {},
      {
        fill: themeColour('--chart-bar'),
        width: 0,
        points: { show: false },
        paths: uPlot.paths.bars!({ size: [barWidthRatio, maxBarPx], radius: 0.12 }), // part of the full build
      },
    ],
    hooks: { setCursor: [(plot) => onHover(plot.cursor.idx ?? null)] },
  }
}

/** Counts are integers. */
const wholeNumberSteps = Array.from({ length: 7 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat()

/** Indexes of the bars that have a label: as many as fit, always including the last. */
function labelledBars(count: number, widthPx: number): number[] {
  const labelStep = Math.max(1, Math.ceil((count * minLabelGapPx) / Math.max(widthPx, minLabelGapPx)))
  const labelled: number[] = []
  for (let index = count - 1; index >= 0; index -= labelStep) labelled.unshift(index)
  return labelled
}

export interface Bar {
  /** On the axis, if there is space. */
  label: string
  /** Beside the count of the bar below the pointer. */
  title: string
  count: number
}

export interface BarChartProps {
  bars: readonly Bar[]
  /** The highest count of the axis; by default that of the bars. */
  highest?: number | undefined
}

/** Bars from left to right. Hidden from screen readers: sentences and tables hold the same numbers. */
export function BarChart({ bars, highest }: BarChartProps) {
  const chartBox = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot | null>(null)
  const text = useText({ insights }).chart
  const format = useFormat()
  const [hoveredBar, setHoveredBar] = useState<number | null>(null)
  // A string, so that the chart is created again only when the labels change.
  const labels = bars.map(({ label }) => label).join('\n')

  useEffect(() => {
    const element = chartBox.current
    if (!element || !hasCanvas()) return
    const sizeOf = () => ({ width: element.clientWidth, height: element.clientHeight })
    const options = chartOptions({
      labels: labels.split('\n'),
      highest,
      format,
      size: sizeOf(),
      onHover: setHoveredBar,
    })
    const createdChart = new uPlot(options, undefined, element)
    chart.current = createdChart
    const resizes = new ResizeObserver(() => createdChart.setSize(sizeOf()))
    resizes.observe(element)
    const themeChanges = new MutationObserver(() => createdChart.redraw(false))
    themeChanges.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => {
      resizes.disconnect()
      themeChanges.disconnect()
      chart.current = null
      createdChart.destroy()
    }
  }, [labels, highest, format])

  useEffect(() => {
    chart.current?.setData([bars.map((_, index) => index), bars.map(({ count }) => count)])
  }, [bars])

  const bar = hoveredBar === null ? undefined : bars[hoveredBar]
  return (
    <>
      <div ref={chartBox} className="insights-chart__box" />
      <p className="insights-chart__hovered tiny tabular-numbers">
        {bar && text.point(bar.title, format.count(bar.count))}
      </p>
    </>
  )
}

/** Some browsers block canvases; the table is still there. */
const hasCanvas = (): boolean => document.createElement('canvas').getContext('2d') !== null
