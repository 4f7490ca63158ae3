import { languageParameter } from '@keepsnap/contract/languages.ts'
import { sendSupportMessage, supportFieldChars, type SupportFields } from '@keepsnap/contract/support.ts'
import { Send } from 'lucide-react'
import { endpointPath } from '../../lib/api.ts'
import { useFormat, useLanguageTag, useText } from '../../lib/i18n.tsx'
import { support } from '../../messages/en/support.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Note } from '../../ui/Note.tsx'
import { TextAreaField } from '../../ui/TextAreaField.tsx'
import { failureText, fieldProblemText } from './problem-text.ts'
import { useSupportForm, type Sender, type SupportFormState } from './useSupportForm.ts'

interface Props {
  sender: Sender
  hasPriority: boolean
  /** Where people can write instead; null without one. */
  supportEmail: string | null
  onSent: (sent: SupportFields) => void
}

/** The contact form. */
export function SupportForm({ sender, hasPriority, supportEmail, onSent }: Props) {
  const text = useText({ support })
  const form = useSupportForm(sender, onSent)
  // Without JavaScript: the answer is in the language of this page.
  const action = endpointPath(sendSupportMessage, { query: { [languageParameter]: useLanguageTag() } })
  return (
    <form className="stack" method="post" action={action} noValidate onSubmit={form.submit}>
      {form.failure && <Failure error={form.failure} supportEmail={supportEmail} />}
      <div className="support__pair">
        <TextField form={form} name="name" autoComplete="name" />
        <TextField form={form} name="email" type="email" autoComplete="email" inputMode="email" spellCheck={false} />
      </div>
      <TextField form={form} name="subject" autoComplete="off" />
      <MessageField form={form} />
      <div className="visually-hidden" aria-hidden="true">
        <label htmlFor="website">{text.honeypot}</label>
        <input id="website" name="website" type="text" tabIndex={-1} autoComplete="off" />
      </div>
      <div className="row support__send">
        <Button type="submit" tone="primary" large busy={form.isSending}>
          {!form.isSending && <Send className="icon" />}
          {form.isSending ? text.sending : form.failure ? text.sendAgain : text.send}
        </Button>
        <p className="small muted">{hasPriority ? text.priority : text.privacy}</p>
      </div>
    </form>
  )
}

function Failure({ error, supportEmail }: { error: Error; supportEmail: string | null }) {
  const text = useText({ support })
  return (
    <Note tone="bad">
      {text.failed} {failureText(error, text)}
      <br />
      {text.stillHere}
      {supportEmail !== null && (
        <>
          {' '}
          {text.orEmail}{' '}
          <a className="link" href={`mailto:${supportEmail}`} translate="no">
            {supportEmail}
          </a>
          .
        </>
      )}
    </Note>
  )
}

interface TextFieldProps {
  form: SupportFormState
  name: Exclude<keyof SupportFields, 'message'>
  type?: 'email'
  autoComplete: string
  inputMode?: 'email'
  spellCheck?: boolean
}

function TextField({ form, name, ...input }: TextFieldProps) {
  const text = useText({ support })
  const format = useFormat()
  return (
    <Field
      {...input}
      name={name}
      label={text.fields[name]}
      required
      dir={name === 'email' ? undefined : 'auto'}
      value={form.fields[name]}
      error={fieldProblemText(name, form.problems, { text, format })}
      onChange={({ target }) => form.change(name, target.value)}
    >
      {name !== 'email' && <Counter name={name} value={form.fields[name]} />}
    </Field>
  )
}

function MessageField({ form }: { form: SupportFormState }) {
  const text = useText({ support })
  const format = useFormat()
  return (
    <TextAreaField
      name="message"
      label={text.fields.message}
      required
      dir="auto"
      rows={7}
      value={form.fields.message}
      error={fieldProblemText('message', form.problems, { text, format })}
      onChange={({ target }) => form.change('message', target.value)}
    >
      <Counter name="message" value={form.fields.message} />
    </TextAreaField>
  )
}

/** From this share of the limit on, the field says how many characters are left. */
const shownFrom = 0.9

function Counter({ name, value }: { name: keyof typeof supportFieldChars; value: string }) {
  const text = useText({ support })
  const { count } = useFormat()
  const left = supportFieldChars[name] - value.trim().length
  if (value.length < supportFieldChars[name] * shownFrom) return null
  return (
    <p className={`tiny tabular-numbers ${left < 0 ? 'support__over' : 'muted'}`}>
      {left < 0 ? text.charactersOver(-left, count(-left)) : text.charactersLeft(left, count(left))}
    </p>
  )
}
