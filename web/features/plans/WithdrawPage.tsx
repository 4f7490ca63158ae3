import { Check } from 'lucide-react'
import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Reply } from '@keepsnap/contract/endpoint.ts'
import { languageParameter } from '@keepsnap/contract/languages.ts'
import type { SiteInfo } from '@keepsnap/contract/site.ts'
import {
  type CurrentContract,
  makeWithdrawal,
  withdrawalFieldChars,
  type WithdrawalFields,
  withdrawalFields,
  type WithdrawalOffer,
  type WithdrawalProblems,
  withdrawalProblems,
} from '@keepsnap/contract/withdrawals.ts'
import { endpointPath } from '../../lib/api.ts'
import { ApiError, errorMessage, NetworkError } from '../../lib/api-errors.ts'
import { currentUserQuery, useApi, useCurrentUser } from '../../lib/app-services.tsx'
import { createDateFormat } from '../../lib/format.ts'
import { useFormat, useLanguageTag, useText } from '../../lib/i18n.tsx'
import { lazyComponent } from '../../lib/lazy-component.tsx'
import { loginPath, paths, subscriptionSection } from '../../lib/paths.ts'
import { withdrawal as messages } from '../../messages/en/withdrawals.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { EmailAddress } from '../../ui/EmailAddress.tsx'
import { Fact } from '../../ui/Fact.tsx'
import { Field, TextAreaField } from '../../ui/Field.tsx'
import { Note } from '../../ui/Note.tsx'
import { PageHeading, usePageTitle } from '../../ui/PageHeading.tsx'
import { hasFailed, Skeleton } from '../../ui/QueryView.tsx'
import { states } from '../../messages/en/frame.ts'
import { siteInfoQuery } from '../site/site-info.ts'
import { refetchSubscription, usePlanStatus } from './plan-status.ts'
import { useBelgianDate, withdrawalOfferQuery } from './withdrawal.ts'
import './withdraw.css'

const NotFoundPage = lazyComponent('NotFoundPage', () => import('../site/NotFoundPage.tsx'))

/** Where a consumer withdraws from a contract: article 11a of Directive 2011/83/EU. It is there only where plans are sold. */
export function WithdrawPage() {
  const { data: site } = useQuery(siteInfoQuery(useApi()))
  return site?.payments === 'off' ? <NotFoundPage /> : <Withdraw site={site ?? null} />
}

/** What was made, and of what. */
interface Made {
  fields: WithdrawalFields
  result: Reply<typeof makeWithdrawal>
}

function Withdraw({ site }: { site: SiteInfo | null }) {
  const text = useText({ withdrawal: messages })
  usePageTitle(text.title)
  const [made, setMade] = useState<Made | null>(null)
  return (
    <div className="wrap withdraw">
      <header className="page-head">
        <div>
          <PageHeading>{text.title}</PageHeading>
          <p>{text.lead}</p>
        </div>
      </header>
      <section className="card withdraw__card" aria-label={text.title}>
        {made ? (
          <WithdrawalMade made={made} isDemo={site?.payments === 'demo'} />
        ) : (
          <Steps site={site} onMade={setMade} />
        )}
      </section>
      {(!made || made.result.outcome === 'late') && <p className="small muted withdraw__later">{text.later}</p>}
    </div>
  )
}

interface StepsProps {
  site: SiteInfo | null
  onMade: (made: Made) => void
}

/** The two steps, with what is known of who is signed in. */
function Steps({ site, onMade }: StepsProps) {
  const { loading } = useText({ states })
  const { state, user } = useCurrentUser()
  const query = useQuery({ ...withdrawalOfferQuery(useApi()), enabled: user !== null })
  const { data } = query
  const isFailed = user !== null && !data && hasFailed(query)
  if (state === 'loading' || (user !== null && !data && !isFailed))
    return (
      <output className="stack" aria-label={loading}>
        {['4.5rem', '4.5rem', '7rem', '3rem'].map((height, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- they never change
          <Skeleton key={index} height={height} />
        ))}
      </output>
    )
  const known = user === null ? null : { name: user.username, email: user.email, ...data }
  return <TwoSteps key={user?.id ?? null} {...{ site, onMade, known, isFailed }} />
}

interface TwoStepsProps extends StepsProps {
  /** Null for visitors. */
  known: (Pick<WithdrawalOffer, 'name' | 'email'> & Partial<WithdrawalOffer>) | null
  /** Their contract could not be loaded. */
  isFailed: boolean
}

function TwoSteps({ site, onMade, known, isFailed }: TwoStepsProps) {
  const form = useWithdrawal(known, onMade)
  return form.isConfirming ? (
    <Confirmation form={form} site={site} />
  ) : (
    <Form form={form} isFailed={isFailed} known={known} />
  )
}

type WithdrawalForm = ReturnType<typeof useWithdrawal>

const hasProblems = (problems: WithdrawalProblems): boolean => Object.keys(problems).length > 0

/** What was entered, and the step; the withdrawal is sent once. */
function useWithdrawal(known: TwoStepsProps['known'], onMade: StepsProps['onMade']) {
  const text = useText({ withdrawal: messages })
  const belgianDate = useBelgianDate()
  const language = useLanguageTag()
  const api = useApi()
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState<Partial<WithdrawalFields>>({})
  const [isOther, setOther] = useState(false)
  const [isChecked, setChecked] = useState(false)
  const [isConfirming, setConfirming] = useState(false)
  const [isBack, setBack] = useState(false)
  const [refused, setRefused] = useState<WithdrawalProblems>({})
  // The state of the mutation changes only with the next rendering, after a second click.
  const isUnderWay = useRef(false)
  const own = isOther ? null : (known?.contract ?? null)
  const fields: WithdrawalFields = { name: known?.name ?? '', email: known?.email ?? '', contract: '', ...typed }
  if (own) fields.contract = text.own.contract(own.plan.name, belgianDate(own.concluded_at), own.invoice_number)
  const goBack = (): void => {
    setBack(true)
    setConfirming(false)
  }
  const making = useMutation({
    mutationFn: () =>
      api.call(makeWithdrawal, {
        query: { [languageParameter]: language },
        body: { ...fields, ...(own && { contract_id: own.id }) },
      }),
    onSuccess(result) {
      // With the offer, whose key begins so.
      refetchSubscription(queryClient)
      void queryClient.invalidateQueries({ queryKey: currentUserQuery(api).queryKey })
      onMade({ fields, result })
    },
    onError(error) {
      const problems = refusedFields(error, fields)
      setRefused(problems)
      if (hasProblems(problems)) goBack()
    },
    onSettled() {
      isUnderWay.current = false
    },
  })
  return {
    own,
    fields,
    problems: isChecked ? { ...withdrawalProblems(fields), ...refused } : {},
    isConfirming,
    /** Whether the first step is shown again. */
    isBack,
    change(name: keyof WithdrawalFields, value: string): void {
      setTyped((before) => ({ ...before, [name]: value }))
      setRefused((problems) => {
        const { [name]: _, ...others } = problems
        return others
      })
    },
    chooseOther: setOther,
    toConfirmation(form: HTMLFormElement): void {
      setChecked(true)
      const found = withdrawalProblems(fields)
      if (hasProblems(found)) return focusFirst(form, found)
      making.reset()
      setConfirming(true)
    },
    back: goBack,
    make(): void {
      if (isUnderWay.current) return
      isUnderWay.current = true
      making.mutate()
    },
    isSending: making.isPending,
    failure: hasProblems(refused) ? null : making.error,
  }
}

/** The fields that the server refused. Only the server detects some invalid domains. */
function refusedFields(error: unknown, fields: WithdrawalFields): WithdrawalProblems {
  if (!(error instanceof ApiError) || !Array.isArray(error.detail)) return {}
  const known = withdrawalProblems(fields)
  return Object.fromEntries(
    error.detail.flatMap(({ loc }) => {
      const name = withdrawalFields.find((one) => one === loc[1])
      return name ? [[name, known[name] ?? 'form']] : []
    }),
  )
}

function focusFirst(form: HTMLFormElement, problems: WithdrawalProblems): void {
  const first = withdrawalFields.find((name) => problems[name] !== undefined)
  const field = first && form.elements.namedItem(first)
  if (field instanceof HTMLElement) field.focus()
}

interface FormProps {
  form: WithdrawalForm
  known: TwoStepsProps['known']
  isFailed: boolean
}

/** The first step. Without JavaScript, the server answers with the second. */
function Form({ form, known, isFailed }: FormProps) {
  const text = useText({ withdrawal: messages })
  const action = endpointPath(makeWithdrawal, { query: { [languageParameter]: useLanguageTag() } })
  const start = useRef<HTMLFormElement>(null)
  const { isBack, problems } = form
  useEffect(() => {
    if (!isBack || !start.current) return
    if (hasProblems(problems)) focusFirst(start.current, problems)
    else start.current.querySelector<HTMLElement>('button[type=submit]')?.focus()
    // Only when this step is shown again.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    form.toConfirmation(event.currentTarget)
  }
  return (
    <form className="stack" method="post" action={action} noValidate onSubmit={submit} ref={start}>
      {known === null && <SignIn />}
      {isFailed && <Note tone="warn">{text.offerFailed}</Note>}
      {known && !isFailed && <Earlier made={known.made ?? null} hasContract={Boolean(known.contract)} />}
      <div className="withdraw__pair">
        <TextField form={form} name="name" autoComplete="name" />
        <TextField form={form} name="email" type="email" autoComplete="email" inputMode="email" spellCheck={false}>
          <p className="tiny muted">{text.emailHint}</p>
        </TextField>
      </div>
      {form.own ? <OwnContract contract={form.own} /> : <OtherContract form={form} />}
      <div className="row">
        <Button type="submit" tone="primary" large>
          {text.next}
        </Button>
        {known?.contract && (
          <Button tone="ghost" large onClick={() => form.chooseOther(form.own !== null)}>
            {form.own ? text.own.other : text.own.back}
          </Button>
        )}
      </div>
    </form>
  )
}

function SignIn() {
  const text = useText({ withdrawal: messages })
  return (
    <p className="small">
      {text.signedOut}{' '}
      <Link className="link" to={loginPath(useLocation())}>
        {text.signIn}
      </Link>{' '}
      {text.signInHint}
    </p>
  )
}

function Earlier({ made, hasContract }: { made: WithdrawalOffer['made']; hasContract: boolean }) {
  const text = useText({ withdrawal: messages })
  const format = useFormat()
  if (hasContract) return null
  return (
    <Note tone="plain">
      {made && `${text.earlier(format.dateTime(made.made_at))} `}
      {text.none}
    </Note>
  )
}

function OwnContract({ contract }: { contract: CurrentContract }) {
  const text = useText({ withdrawal: messages })
  const belgianDate = useBelgianDate()
  const format = useFormat()
  const { data: status } = usePlanStatus()
  const until = status?.refundable_until
  return (
    <div className="withdraw__contract">
      <h2>{text.own.heading}</h2>
      <dl className="withdraw__facts tabular-numbers">
        <Fact name={text.own.plan} translate="no">
          {contract.plan.name}
        </Fact>
        <Fact name={text.own.made}>{text.own.date(belgianDate(contract.concluded_at))}</Fact>
        <Fact name={text.own.invoice} translate="no">
          {contract.invoice_number}
        </Fact>
        {!contract.is_over && <Fact name={text.own.until}>{text.own.date(belgianDate(contract.until))}</Fact>}
      </dl>
      {contract.is_over && (
        <Note tone="warn">
          {text.over(belgianDate(contract.until))}
          {until && (
            <>
              {' '}
              {text.moneyBack(format.date(until))}{' '}
              <Link className="link" to={subscriptionSection}>
                {text.settings}
              </Link>
            </>
          )}
        </Note>
      )}
    </div>
  )
}

function OtherContract({ form }: { form: WithdrawalForm }) {
  const text = useText({ withdrawal: messages })
  return (
    <TextAreaField
      name="contract"
      label={text.fields.contract}
      required
      dir="auto"
      rows={3}
      value={form.fields.contract}
      error={useProblemText('contract', form.problems)}
      onChange={({ target }) => form.change('contract', target.value)}
    >
      <p className="tiny muted">{text.contractHint}</p>
    </TextAreaField>
  )
}

interface TextFieldProps {
  form: WithdrawalForm
  name: 'name' | 'email'
  type?: 'email'
  autoComplete: string
  inputMode?: 'email'
  spellCheck?: boolean
  children?: ReactNode
}

function TextField({ form, name, children, ...input }: TextFieldProps) {
  const text = useText({ withdrawal: messages })
  return (
    <Field
      {...input}
      name={name}
      label={text.fields[name]}
      required
      dir={name === 'email' ? undefined : 'auto'}
      value={form.fields[name]}
      error={useProblemText(name, form.problems)}
      onChange={({ target }) => form.change(name, target.value)}
    >
      {children}
    </Field>
  )
}

/** What is wrong with a field, as a sentence; undefined when nothing is. */
function useProblemText(name: keyof WithdrawalFields, problems: WithdrawalProblems): string | undefined {
  const text = useText({ withdrawal: messages })
  const { count } = useFormat()
  const problem = problems[name]
  if (problem === undefined) return undefined
  if (name === 'email') return text.problems.email[problem]
  return problem === 'long' ? text.problems[name].long(count(withdrawalFieldChars[name])) : text.problems[name].missing
}

/** A heading that gets the focus when its part replaces another. */
function FocusedHeading({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <h2 ref={heading} tabIndex={-1}>
      {children}
    </h2>
  )
}

/** The second step: repeats what will be declared. */
function Confirmation({ form, site }: { form: WithdrawalForm; site: SiteInfo | null }) {
  const text = useText({ withdrawal: messages })
  const { confirm, fields: labels } = text
  const belgianDate = useBelgianDate()
  const { fields, own } = form
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    form.make()
  }
  return (
    <form className="stack" method="post" onSubmit={submit}>
      <FocusedHeading>{confirm.heading}</FocusedHeading>
      <p>{confirm.lead}</p>
      <div className="withdraw__declaration">
        <p>
          <b>{confirm.declaration}</b>
        </p>
        <dl className="withdraw__facts">
          <Fact name={labels.contract} dir="auto" translate="no">
            {fields.contract.trim()}
          </Fact>
          <Fact name={labels.name} dir="auto" translate="no">
            {fields.name.trim()}
          </Fact>
          <Fact name={labels.email}>
            <EmailAddress email={fields.email.trim()} />
          </Fact>
        </dl>
      </div>
      {!own && <p className="small muted">{confirm.email}</p>}
      {own && !own.is_over && (
        <p className="small muted">
          {confirm.own(own.plan.name)} {confirm.photos}
        </p>
      )}
      {own?.is_over && <p className="small muted">{text.made.late(belgianDate(own.until))}</p>}
      {form.failure && <Failure error={form.failure} site={site} />}
      <div className="row">
        <Button type="submit" tone="primary" large busy={form.isSending}>
          {form.isSending ? confirm.sending : confirm.submit}
        </Button>
        <Button tone="ghost" large onClick={form.back}>
          {confirm.back}
        </Button>
      </div>
    </form>
  )
}

function Failure({ error, site }: { error: Error; site: SiteInfo | null }) {
  const text = useText({ withdrawal: messages })
  const reason =
    error instanceof NetworkError && error.reason === 'unreachable' ? text.offline : errorMessage(error, text.tryAgain)
  const address = site && !site.operator.is_sample ? site.support_email : null
  return (
    <Note tone="bad">
      {text.failed} {reason}
      <br />
      {text.stillHere}
      {address !== null && !reason.includes(address) && (
        <>
          {' '}
          {text.orEmail}{' '}
          <a className="link" href={`mailto:${address}`} translate="no">
            {address}
          </a>
          .
        </>
      )}
    </Note>
  )
}

/** Replaces the steps after the withdrawal was made. */
function WithdrawalMade({ made: { fields, result }, isDemo }: { made: Made; isDemo: boolean }) {
  const text = useText({ withdrawal: messages }).made
  const format = useFormat()
  const belgianDate = useBelgianDate()
  const { user } = useCurrentUser()
  // With seconds and the zone: it was made at that second.
  const moment = createDateFormat(format.locale, { dateStyle: 'long', timeStyle: 'long' })
  const { outcome, refunded_cents: refunded, until } = result
  const money = refunded === null ? text.onItsWay : refunded > 0 ? text.refunded(format.price(refunded)) : text.nothing
  return (
    <div className="stack">
      <span className="withdraw__tick">
        <Check className="icon" />
      </span>
      <FocusedHeading>{text.heading}</FocusedHeading>
      <p>
        <b className="tabular-numbers">{text.at(moment(new Date(result.made_at)))}</b>
      </p>
      {outcome === 'accepted' && (
        <p>
          {text.ended} {money} {isDemo && text.demo}
        </p>
      )}
      {outcome === 'late' && until !== null && <p>{text.late(belgianDate(until))}</p>}
      <p className={outcome === 'email' ? undefined : 'small muted'}>
        {text.receipt}{' '}
        <b>
          <EmailAddress email={fields.email.trim()} />
        </b>
        . {text.spam}
      </p>
      {outcome === 'email' && <p>{text.email}</p>}
      <div className="row">
        {user && (
          <Link className={buttonClass({})} to={subscriptionSection}>
            {text.settings}
          </Link>
        )}
        <Link className={buttonClass({ tone: user ? 'ghost' : 'quiet' })} to={paths.home}>
          {text.home}
        </Link>
      </div>
    </div>
  )
}
