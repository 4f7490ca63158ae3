import type { Insights } from '@keepsnap/contract/insights.ts'
import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { insights } from '../../messages/en/insights.ts'
import { useCalendar } from './calendar.ts'
import type { Measure } from './numbers.ts'
import { optionsFor } from './chart-options.ts'

interface Props {
  days: Insights['days']
  measure: Measure
}

/** Bars, one a day. For the eye: the sentence above and the table below say the same. */
export function Chart({ days, measure }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const text = useText({ insights }).chart
  const format = useFormat()
  const calendar = useCalendar()
  const [pointed, point] = useState<number | null>(null)
  const names = days.map(({ day }) => day).join(' ')

  useEffect(() => {
    const place = box.current
    if (!place || !canDraw()) return
    const days = names.split(' ')
    const size = { width: place.clientWidth, height: place.clientHeight }
    const made = new uPlot(optionsFor({ days, format, calendar, size, onPoint: point }), undefined, place)
    plot.current = made
    const resized = new ResizeObserver(() => made.setSize({ width: place.clientWidth, height: place.clientHeight }))
    resized.observe(place)
    const themed = new MutationObserver(() => made.redraw(false))
    themed.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => {
      resized.disconnect()
      themed.disconnect()
      plot.current = null
      made.destroy()
    }
  }, [names, format, calendar])

  useEffect(() => {
    plot.current?.setData([days.map((_, at) => at), days.map((day) => day[measure])])
  }, [days, measure])

  const day = pointed === null ? undefined : days[pointed]
  return (
    <>
      <div ref={box} className="in-chart__box" />
      <p className="in-chart__point tiny num">
        {day && text.point(calendar.date(day.day), format.count(day[measure]))}
      </p>
    </>
  )
}

/** Some browsers keep canvases shut; the table is there. */
const canDraw = (): boolean => document.createElement('canvas').getContext('2d') !== null
