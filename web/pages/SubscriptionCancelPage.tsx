import { Link } from 'react-router'
import { photosLeft, usePlanStatus } from '../lib/plan-status.ts'
import { useFormat, useText } from '../lib/i18n.tsx'
import { paths } from '../lib/paths.ts'
import { checkout as messages } from '../messages/en/checkout.ts'
import photo from '../pictures/table-720.webp'
import codeUrl from '../pictures/code-home.svg'
import { buttonClass } from '../ui/Button.tsx'
import { Print } from '../ui/Print.tsx'
import { CheckoutLayout } from './CheckoutLayout.tsx'

/** Where the payment provider returns to when nothing was paid. */
export function SubscriptionCancelPage() {
  const text = useText({ checkout: messages }).cancelled
  const { data: status } = usePlanStatus()
  return (
    <CheckoutLayout
      title={text.title}
      lead={status ? `${text.lead} ${text.planStays(status.plan.name)}` : text.lead}
      actions={
        <>
          <Link className={buttonClass({ tone: 'primary', large: true })} to={paths.pricing}>
            {text.plans}
          </Link>
          <Link className={buttonClass({ large: true })} to={paths.upload}>
            {text.upload}
          </Link>
          <Link className={buttonClass({ large: true, tone: 'ghost' })} to={paths.home}>
            {text.home}
          </Link>
        </>
      }
      art={<TablePrint />}
    />
  )
}

function TablePrint() {
  const text = useText({ checkout: messages }).cancelled
  const format = useFormat()
  const { data: status } = usePlanStatus()
  const left = status ? photosLeft(status) : 0
  return (
    <div aria-hidden="true">
      <Print
        photo={<img src={photo} width="720" height="480" alt="" />}
        line={left > 0 ? text.left(format.count(left)) : text.stays}
        code={{ src: codeUrl, alt: '' }}
      />
    </div>
  )
}
