import type { ReactNode } from 'react'
import { LogoMark } from './Logo.tsx'
import { PageHeading } from './PageHeading.tsx'

/** Nothing here yet: an unexposed print, one sentence, one action. */
export function EmptyState({ sentence, children }: { sentence: string; children?: ReactNode }) {
  return (
    <div className="state">
      <div className="blank" aria-hidden="true">
        <LogoMark />
      </div>
      <p>{sentence}</p>
      {children}
    </div>
  )
}

/** Something failed, and stands for the whole page: what, one line on why or what to do, one action. */
export function ErrorState({ sentence, hint, children }: { sentence: string; hint?: string; children?: ReactNode }) {
  return (
    <div className="state" role="alert">
      <PageHeading className="state__say">{sentence}</PageHeading>
      {hint && <span className="muted state__hint">{hint}</span>}
      {children}
    </div>
  )
}
