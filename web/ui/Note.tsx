import { Check, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

const icons = { ok: Check, warn: TriangleAlert, bad: TriangleAlert, plain: Info }

/** A sentence that stands in the page: what went well, what went wrong, what to know. Announced when it appears. */
export function Note({ tone, children }: { tone: keyof typeof icons; children: ReactNode }) {
  const Icon = icons[tone]
  return (
    <div className={`note note--${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon className="i" />
      <span>{children}</span>
    </div>
  )
}
