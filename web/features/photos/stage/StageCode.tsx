import { useText } from '../../../lib/i18n.tsx'
import { latest } from '../../../messages/en/latest.ts'
import { LogoMark } from '../../../ui/Logo.tsx'
import type { Face } from './face.ts'

/** The card at the fixed place. While there is no code, the mark stands where it will be. */
export function StageCode({ face }: { face: Face }) {
  const text = useText({ latest }).code
  const line = face.byEmail ? text.emailLine : text.line
  const hasFailed = face.kind === 'failed'
  if (face.code === null) {
    return (
      <div className="stage__code stage__code--wait">
        <b className="stage__turn">{hasFailed ? text.none : line}</b>
        <span className="stage__noqr" aria-hidden="true">
          <LogoMark />
        </span>
        <span className="stage__turn">{hasFailed ? text.noneHint : text.onItsWay}</span>
      </div>
    )
  }
  return (
    <div className="stage__code">
      <b className="stage__turn">{line}</b>
      <img className="stage__turn" src={face.code} width="41" height="41" alt={text.alt} decoding="sync" />
      <span className="stage__turn">{face.byEmail ? text.emailHint : text.hint}</span>
    </div>
  )
}
