import { useId, type ReactNode } from 'react'
import { useText } from '../../../lib/i18n.tsx'
import { useMediaUrl } from '../../../lib/app-services.tsx'
import { latest } from '../../../messages/en/latest.ts'
import { Button, buttonClass } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { qrCodeFilename } from '../qr-codes.ts'
import type { LatestViewModel } from './latest-view-model.ts'

interface Props {
  model: LatestViewModel
  open: boolean
  onClose: () => void
  /** More that can be done with the code. */
  children?: ReactNode
}

/** The QR code as large as the screen allows. */
export function QrCodeDialog({ model, open, onClose, children }: Props) {
  const text = useText({ latest })
  const media = useMediaUrl()
  const id = useId()
  const { photo, byEmail, qrCode } = model
  const pngUrl = byEmail ? photo.email_qr_code_url : photo.qr_code_url
  return (
    <Dialog open={open && qrCode !== null} onClose={onClose} className="dialog code-dialog" aria-labelledby={id}>
      <h2 id={id}>{text.codeDialog.title}</h2>
      <div className="code-dialog__card">
        <img src={qrCode ?? undefined} width="41" height="41" alt={text.code.alt} />
        <p className="ellipsis file-name" translate="no">
          {photo.filename}
        </p>
      </div>
      <div className="dialog__actions">
        <Button onClick={onClose}>{text.codeDialog.close}</Button>
        {children}
        <a
          className={buttonClass({ tone: 'primary' })}
          href={media(pngUrl) ?? undefined}
          download={qrCodeFilename(photo.filename)}
        >
          <span>{text.codeDialog.download}</span>
        </a>
      </div>
    </Dialog>
  )
}
