import { useText } from '../../lib/i18n.tsx'
import { states } from '../../messages/en/states.ts'
import { usage } from '../../messages/en/usage.ts'
import './usage.css'

/** In the place of what depends on the plan, while that is not known. Pages ask for it again by themselves. */
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
