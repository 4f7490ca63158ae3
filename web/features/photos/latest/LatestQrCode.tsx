import { useText } from '../../../lib/i18n.tsx'
import { latest } from '../../../messages/en/latest.ts'
import { LogoMark } from '../../../ui/Logo.tsx'
import type { LatestViewModel } from './latest-view-model.ts'

/** The card with the QR code. Without a code, the logo takes its place. */
export function LatestQrCode({ model }: { model: LatestViewModel }) {
  const text = useText({ latest }).code
  const line = model.byEmail ? text.emailLine : text.line
  const hasFailed = model.kind === 'failed'
  if (model.qrCode === null) {
    return (
      <div className="latest__code">
        <b className="latest__fade">{hasFailed ? text.none : line}</b>
        <span className="latest__no-code" aria-hidden="true">
          <LogoMark />
        </span>
        <span className="latest__fade">{hasFailed ? text.noneHint : text.creating}</span>
      </div>
    )
  }
  return (
    <div className="latest__code">
      <b className="latest__fade">{line}</b>
      <img className="latest__fade" src={model.qrCode} width="41" height="41" alt={text.alt} decoding="sync" />
      <span className="latest__fade">{model.byEmail ? text.emailHint : text.hint}</span>
    </div>
  )
}
