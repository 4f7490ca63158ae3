import type { ReactNode } from 'react'
import { LogoMark } from './Logo.tsx'
import { PageHeading } from './PageHeading.tsx'

/** The empty state of a list: a blank print, one sentence, one action. */
export function EmptyState({ sentence, children }: { sentence: string; children?: ReactNode }) {
  return (
    <div className="state">
      <div className="blank-print" aria-hidden="true">
        <LogoMark />
      </div>
      <p>{sentence}</p>
      {children}
    </div>
  )
}

/** Replaces a page that failed to load: what failed, why or what to do, one action. */
export function ErrorState({ sentence, hint, children }: { sentence: string; hint?: string; children?: ReactNode }) {
  return (
    <div className="state" role="alert">
      <PageHeading className="state__sentence">{sentence}</PageHeading>
      {hint && <span className="muted state__hint">{hint}</span>}
      {children}
    </div>
  )
}
