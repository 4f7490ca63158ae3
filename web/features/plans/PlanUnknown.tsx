import { useText } from '../../lib/i18n.tsx'
import { states } from '../../messages/en/states.ts'
import { usage } from '../../messages/en/usage.ts'
import './usage.css'

/** Placeholder for content that depends on the plan, until the plan is loaded. Pages retry automatically. */
export function PlanUnknown({ failed }: { failed: boolean }) {
  const text = useText({ usage })
  const { loading } = useText({ states })
  if (failed) return <p className="small muted">{text.planUnknown}</p>
  return (
    <>
      <output className="visually-hidden">{loading}</output>
      <span className="skeleton plan-unknown" aria-hidden="true" />
    </>
  )
}
