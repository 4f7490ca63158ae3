import type { ReactNode } from 'react'
import { usePageTitle } from '../lib/page-title.ts'
import { PageHeading } from '../ui/PageHeading.tsx'
import './checkout.css'

interface Props {
  title: string
  lead: string
  /** Before the heading. */
  icon?: ReactNode
  /** Details between the lead and the actions. */
  children?: ReactNode
  actions: ReactNode
  /** Below the actions. */
  hint?: ReactNode
  art: ReactNode
}

/** A page after a checkout: what happened beside a picture. A change of the state is announced. */
export function CheckoutLayout({ title, lead, icon, children, actions, hint, art }: Props) {
  usePageTitle(title)
  return (
    <div className="wrap checkout">
      <div className="checkout__text">
        <div aria-live="polite">
          {icon}
          <PageHeading>{title}</PageHeading>
          <p className="lead">{lead}</p>
        </div>
        {children}
        {actions && <div className="row checkout__actions">{actions}</div>}
        {hint && <div className="small muted checkout__hint">{hint}</div>}
      </div>
      <div className="checkout__art">{art}</div>
    </div>
  )
}
