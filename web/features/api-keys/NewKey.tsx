import type { ApiKey } from '@keepsnap/contract/api-keys.ts'
import { useEffect, useRef } from 'react'
import { useApi } from '../../lib/app-services.tsx'
import { useText } from '../../lib/i18n.tsx'
import { apiKeys } from '../../messages/en/api-keys.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Note } from '../../ui/Note.tsx'
import { uploadCommand } from './upload-command.ts'

/** The full key, which can be shown only once, and how to use it. Takes the focus, so that it is not missed. */
export function NewKey({ apiKey: { name, key }, onDone }: { apiKey: ApiKey; onDone: () => void }) {
  const text = useText({ apiKeys }).newKey
  const { origin } = useApi()
  const box = useRef<HTMLElement>(null)
  const shownKey = useRef<HTMLElement>(null)
  const shownCommand = useRef<HTMLElement>(null)
  const command = uploadCommand(origin, key)
  useEffect(() => box.current?.focus(), [])
  return (
    <section className="new-key" aria-label={text.title(name)} tabIndex={-1} ref={box}>
      <Note tone="ok">{text.copyNow}</Note>
      <div className="new-key__value">
        <code className="tabular-numbers" translate="no" ref={shownKey}>
          {key}
        </code>
        <CopyButton text={key} label={text.key} shownIn={shownKey} tone="quiet" />
      </div>
      <p className="small muted">{text.example}</p>
      <div className="new-key__value">
        <code className="code" translate="no" ref={shownCommand}>
          {command}
        </code>
        <CopyButton text={command} label={text.command} shownIn={shownCommand} tone="quiet" />
      </div>
      <div className="row">
        <Button onClick={onDone}>{text.done}</Button>
      </div>
    </section>
  )
}
