import { Check, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

const icons = { ok: Check, warn: TriangleAlert, bad: TriangleAlert, plain: Info }

/** A message in the page. Screen readers announce it when it appears. */
export function Note({ tone, children }: { tone: keyof typeof icons; children: ReactNode }) {
  const Icon = icons[tone]
  return (
    <div className={`note note--${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon className="icon" />
      <span>{children}</span>
    </div>
  )
}
