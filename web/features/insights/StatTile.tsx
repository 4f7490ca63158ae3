import { useText } from '../../lib/i18n.tsx'
import { insights } from '../../messages/en/insights.ts'

/** One number with its name; null for none yet. */
export function StatTile({ name, value, hint }: { name: string; value: string | null; hint: string }) {
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
