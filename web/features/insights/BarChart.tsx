import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { insights } from '../../messages/en/insights.ts'
import { chartOptions } from './chart-options.ts'

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
