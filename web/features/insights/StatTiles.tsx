import type { Insights } from '@keepsnap/contract/insights.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { insights } from '../../messages/en/insights.ts'
import { useCalendar } from './calendar.ts'
import { measures } from './measures.ts'

/** The totals, the conversion and the peak hour. */
export function StatTiles({ data: { totals, conversion_percent, peak_hour } }: { data: Insights }) {
  const text = useText({ insights })
  const format = useFormat()
  const calendar = useCalendar()
  return (
    <section aria-label={text.tiles.label}>
      <dl className="insights-tiles">
        {measures.map((measure) => (
          <StatTile
            key={measure}
            name={text.measures[measure]}
            value={format.count(totals[measure])}
            hint={text.hints[measure]}
          />
        ))}
        <StatTile
          name={text.tiles.conversion}
          value={conversion_percent === null ? null : format.percent(conversion_percent / 100)}
          hint={text.tiles.conversionHint}
        />
        <StatTile
          name={text.tiles.peak}
          value={peak_hour === null ? null : calendar.hour(peak_hour)}
          hint={text.tiles.peakHint}
        />
      </dl>
    </section>
  )
}

function StatTile({ name, value, hint }: { name: string; value: string | null; hint: string }) {
  const text = useText({ insights })
  return (
    <div className="card insights-tile">
      <dt>{name}</dt>
      <dd>
        {value === null ? (
          <b className="muted">{text.tiles.none}</b>
        ) : (
          <b className="tabular-numbers" translate="no">
            {value}
          </b>
        )}
        <span className="tiny muted">{hint}</span>
      </dd>
    </div>
  )
}
