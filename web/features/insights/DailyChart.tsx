import type { Insights } from '@keepsnap/contract/insights.ts'
import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { insights } from '../../messages/en/insights.ts'
import { useCalendar } from './calendar.ts'
import type { InsightMeasure } from './measures.ts'
import { chartOptions } from './chart-options.ts'

interface Props {
  days: Insights['days']
  measure: InsightMeasure
}

/** A bar for each day. Hidden from screen readers: a sentence and a table hold the same numbers. */
export function DailyChart({ days, measure }: Props) {
  const chartBox = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot | null>(null)
  const text = useText({ insights }).chart
  const format = useFormat()
  const calendar = useCalendar()
  const [hoveredDay, setHoveredDay] = useState<number | null>(null)
  // A string, so that the chart is created again only when the days change.
  const dayNames = days.map(({ day }) => day).join(' ')

  useEffect(() => {
    const element = chartBox.current
    if (!element || !hasCanvas()) return
    const sizeOf = () => ({ width: element.clientWidth, height: element.clientHeight })
    const options = chartOptions({
      days: dayNames.split(' '),
      format,
      calendar,
      size: sizeOf(),
      onHover: setHoveredDay,
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
  }, [dayNames, format, calendar])

  useEffect(() => {
    chart.current?.setData([days.map((_, index) => index), days.map((day) => day[measure])])
  }, [days, measure])

  const day = hoveredDay === null ? undefined : days[hoveredDay]
  return (
    <>
      <div ref={chartBox} className="insights-chart__box" />
      <p className="insights-chart__hovered tiny tabular-numbers">
        {day && text.point(calendar.date(day.day), format.count(day[measure]))}
      </p>
    </>
  )
}

/** Some browsers block canvases; the table is still there. */
const hasCanvas = (): boolean => document.createElement('canvas').getContext('2d') !== null
