import { Check, ChevronLeft, TriangleAlert, X } from 'lucide-react'
import type { GuestPage } from '@keepsnap/contract/rendering.ts'
import { businessChars, type BusinessField, businessFields } from '@keepsnap/contract/businesses.ts'
import { vatExample } from '@keepsnap/contract/vat-numbers.ts'
import { billingLimits } from '@keepsnap/contract/limits.ts'
import { pages, productName } from '@keepsnap/contract/site.ts'
import { type Plan, plans } from '@keepsnap/contract/plans.ts'
import { businessAutoComplete, businessProblemText } from '../features/plans/business.ts'
import { featuresOf } from '../features/plans/offers.ts'
import { useFormat, useText } from '../lib/i18n.tsx'
import { business } from '../messages/en/business.ts'
import { demoCheckout } from '../messages/en/plans.ts'
import { frame } from '../messages/en/frame.ts'
import { pricing } from '../messages/en/pricing.ts'
import { buttonClass } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { Logo, LogoMark } from '../ui/Logo.tsx'
import { GuestLayout, WideLink } from './GuestLayout.tsx'

type CheckoutPage = Extract<GuestPage, { page: 'demo-checkout' }>
/** The form that cancels, so that its button can stand outside of it. */
const cancelForm = 'cancel'

/** What is bought, and what it costs today. */
function Order({ plan }: { plan: Plan }) {
  const text = useText({ demoCheckout })
  const prices = useText({ pricing })
  const { links } = useText({ frame })
  const format = useFormat()
  const { price } = format
  const { id, price_cents: cents, interval_type: interval } = plan
  return (
    <section aria-label={text.order}>
      <p className="muted">{text.subscription(productName)}</p>
      <h2 className="checkout__plan">{prices.names[id]}</h2>
      <p className="checkout__price">
        <b>{price(cents)}</b> <span>{interval === 'year' ? prices.perYear : prices.perMonth}</span>
      </p>
      <ul className="checkout__features">
        {featuresOf(plan, { text: prices, format })
          .filter(({ included }) => included)
          .map((feature) => (
            <li key={feature.text}>
              <Check className="icon" />
              {feature.text}
            </li>
          ))}
      </ul>
      <dl className="checkout__lines">
        <div>
          <dt>{text.line[interval](prices.names[id])}</dt>
          <dd>{price(cents)}</dd>
        </div>
        <div>
          <dt>{text.setupFee}</dt>
          <dd>{price(0)}</dd>
        </div>
        <div className="checkout__total">
          <dt>{text.total}</dt>
          <dd>{price(cents)}</dd>
        </div>
      </dl>
      <p className="small muted">
        {prices.vat} {text.renews[interval]} {text.moneyBack(billingLimits.refundDays)} {text.agree[0]}
        <a href={pages.terms}>{links.terms}</a>
        {text.agree[1]}
      </p>
    </section>
  )
}

function SampleCard({ outcome, isChosen }: { outcome: 'succeed' | 'decline'; isChosen: boolean }) {
  const { name, number, effect } = useText({ demoCheckout }).cards[outcome]
  const Icon = outcome === 'succeed' ? Check : X
  return (
    <label className={`sample-card sample-card--${outcome}`}>
      <input type="radio" name="outcome" value={outcome} defaultChecked={isChosen} required />
      <span className="sample-card__picture" aria-hidden="true">
        <Icon className="icon" />
      </span>
      <span className="sample-card__name">
        <b>{name}</b>
        <span>{number}</span>
      </span>
      <span className="sample-card__effect">{effect}</span>
    </label>
  )
}

/** Who buys: the company's fields are shown while the box is ticked, without a script. */
function Buyer({ fields, problems, isChosen }: CheckoutPage['business']) {
  const text = useText({ business })
  const { choose, hint } = text.checkout
  const firstBad = businessFields.find((field) => problems[field] !== undefined)
  return (
    <fieldset className="checkout__buyer">
      <legend className="visually-hidden">{text.heading}</legend>
      <label className="checkout__as-business">
        <input type="checkbox" name="as_business" value="yes" defaultChecked={isChosen} />
        <b>{choose}</b>
        <span>{hint}</span>
      </label>
      <div className="checkout__business stack">
        {businessFields.map((field) => (
          <BuyerField
            key={field}
            field={field}
            value={fields[field]}
            problem={problems[field]}
            isFirstBad={field === firstBad}
          />
        ))}
      </div>
    </fieldset>
  )
}

interface BuyerFieldProps {
  field: BusinessField
  value: string
  problem: CheckoutPage['business']['problems'][BusinessField]
  isFirstBad: boolean
}

function BuyerField({ field, value, problem, isFirstBad }: BuyerFieldProps) {
  const text = useText({ business })
  const format = useFormat()
  const error = problem && businessProblemText(text, format, { field, problem, value })
  return (
    <Field
      label={text.fields[field]}
      name={field}
      defaultValue={value}
      error={error}
      autoComplete={businessAutoComplete[field]}
      maxLength={2 * businessChars[field]}
      dir="auto"
      translate="no"
      spellCheck={false}
      // Moves the focus to the first field with an error.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus={isFirstBad}
    >
      {field === 'vat_number' && error === undefined && <p className="tiny muted">{text.vatHint(vatExample(value))}</p>}
    </Field>
  )
}

function Payment({ page, plan }: { page: CheckoutPage; plan: Plan }) {
  const text = useText({ demoCheckout })
  const { refused, nothingCharged } = useText({ business }).checkout
  const { price } = useFormat()
  return (
    <section className="checkout__payment" aria-labelledby="payment">
      <form method="post" action={page.action} className="stack">
        <h2 id="payment">{text.choose}</h2>
        <p className="muted">{text.lead}</p>
        {page.state === 'declined' && (
          // Without the focus, it would be below the screen of a phone.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          <div className="note note--bad" role="alert" tabIndex={-1} autoFocus>
            <TriangleAlert className="icon" />
            <span>
              <b>{text.declined.heading}</b> {text.declined.advice}
            </span>
          </div>
        )}
        {page.state === 'bad' && (
          <div className="note note--bad" role="alert">
            <TriangleAlert className="icon" />
            <span>
              <b>{refused}</b> {nothingCharged}
            </span>
          </div>
        )}
        <fieldset className="checkout__cards">
          <legend className="visually-hidden">{text.card}</legend>
          <SampleCard outcome="succeed" isChosen={page.state !== 'declined'} />
          <SampleCard outcome="decline" isChosen={page.state === 'declined'} />
        </fieldset>
        <Buyer {...page.business} />
        <button className={buttonClass({ tone: 'primary', large: true, block: true })}>
          {text.pay(price(plan.price_cents))}
        </button>
      </form>
      <form id={cancelForm} method="post" action={page.action}>
        <input type="hidden" name="outcome" value="cancel" />
        <button className={buttonClass({ tone: 'quiet', large: true, block: true })}>{text.cancel}</button>
      </form>
    </section>
  )
}

/** The checkout of demo payments: a form without JavaScript that pays, is declined or cancels. No money moves. */
export function DemoCheckoutPage({ page }: { page: CheckoutPage }) {
  const text = useText({ demoCheckout })
  const plan = plans[page.plan]
  return (
    <>
      <aside className="checkout__mark" aria-label={text.mark}>
        <b>{text.mark}</b>
        <span>{text.markLead}</span>
      </aside>
      <header className="wrap checkout__header">
        <a className="logo" href={pages.home}>
          <Logo />
        </a>
        <button className="link checkout__back" form={cancelForm}>
          <ChevronLeft className="icon" />
          {text.back(productName)}
        </button>
      </header>
      <main className="wrap checkout">
        <h1 className="visually-hidden">{text.title}</h1>
        <Order plan={plan} />
        <Payment page={page} plan={plan} />
      </main>
    </>
  )
}

/** A checkout that was paid, has expired or does not exist. */
export function DemoCheckoutEndedPage({ why }: { why: Extract<GuestPage, { page: 'demo-checkout-ended' }>['why'] }) {
  const text = useText({ demoCheckout })
  const { heading, lead } = text.ended[why]
  const isPaid = why === 'paid'
  const settingsLink = (
    <WideLink tone={isPaid ? 'primary' : 'quiet'} href={pages.settings}>
      {text.toSettings}
    </WideLink>
  )
  return (
    <GuestLayout look="form">
      <div className="guest__actions stack guest__message">
        <span className="guest__mark">
          <LogoMark />
        </span>
        <h1>{heading}</h1>
        <p className="muted">{lead}</p>
        {isPaid && settingsLink}
        <WideLink tone={isPaid ? 'quiet' : 'primary'} href={pages.pricing}>
          {text.toPlans}
        </WideLink>
        {!isPaid && settingsLink}
      </div>
    </GuestLayout>
  )
}
