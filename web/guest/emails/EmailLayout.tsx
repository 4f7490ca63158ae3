import type { ComponentProps, ReactNode } from 'react'
import type { EmailContext } from '@keepsnap/contract/guest.ts'
import { productName } from '@keepsnap/contract/product.ts'
import { emails } from '../../messages/en/emails.ts'
import { useText } from '../../lib/i18n.tsx'
import type { EmailContent } from './email-content.ts'
import { darkModeCss, logoGroundStyles, styles } from './styles.ts'

/** For images: without it, React adds a link to the head that preloads them. */
export const noPreload = { fetchPriority: 'low' } as const

/** The largest size of a logo in pixels. */
const maxLogo = { width: 200, height: 72 }

/** A layout table, because mail programs do not support CSS grids. */
export function Grid({ children, wide }: { children: ReactNode; wide?: boolean }) {
  return (
    <table role="presentation" cellPadding={0} cellSpacing={0} border={0} {...(wide && { width: '100%' })}>
      <tbody>{children}</tbody>
    </table>
  )
}

/** A cell of a layout table. */
export function Cell(props: ComponentProps<'td'>) {
  return <td {...props} />
}

interface Props {
  lang: string
  content: EmailContent
  frame: EmailContext
  children: ReactNode
}

/**
 * The layout of every email. It loads nothing: no fonts and no tracking pixels; its images, the owner's logo and the
 * photo, are attached.
 */
export function EmailLayout({ lang, content, frame, children }: Props) {
  const { subject, preview, logo } = content
  return (
    <html lang={lang}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
        <title>{subject}</title>
        <style dangerouslySetInnerHTML={{ __html: darkModeCss }} />
      </head>
      <body className="paper" style={styles.body}>
        <div style={styles.preview}>{preview}</div>
        <table role="presentation" cellPadding={0} cellSpacing={0} border={0} width="100%">
          <tbody>
            <tr>
              <Cell align="center" className="paper" style={styles.paper}>
                <table
                  role="presentation"
                  cellPadding={0}
                  cellSpacing={0}
                  border={0}
                  width="480"
                  style={styles.container}
                >
                  <tbody>
                    {logo ? <Logo {...logo} /> : <Brand />}
                    <tr>
                      <Cell className="card" style={styles.card}>
                        <Grid wide>
                          <tr>
                            <Cell className="card-content" style={styles.cardContent}>
                              {children}
                            </Cell>
                          </tr>
                        </Grid>
                      </Cell>
                    </tr>
                    <Footer operator={frame.operator} content={content} />
                  </tbody>
                </table>
              </Cell>
            </tr>
          </tbody>
        </table>
      </body>
    </html>
  )
}

/** The product's mark from two table cells, which are square in programs without rounded corners. */
function Brand() {
  return (
    <tr>
      <Cell style={styles.brand}>
        <Grid>
          <tr>
            <Cell className="logo-ring" style={styles.logoRing}>
              <Grid>
                <tr>
                  <Cell className="logo-core" style={styles.logoCore} width="14" height="14">
                    {' '}
                  </Cell>
                </tr>
              </Grid>
            </Cell>
            <Cell className="ink" style={styles.name} translate="no">
              {productName}
            </Cell>
          </tr>
        </Grid>
      </Cell>
    </tr>
  )
}

function Logo({ cid, width, height, ground }: NonNullable<EmailContent['logo']>) {
  const scale = Math.min(1, maxLogo.width / width, maxLogo.height / height)
  return (
    <tr>
      <Cell style={styles.brand}>
        <Grid>
          <tr>
            <Cell style={logoGroundStyles[ground]}>
              <img
                src={`cid:${cid}`}
                {...noPreload}
                alt=""
                width={Math.round(width * scale)}
                height={Math.round(height * scale)}
                style={styles.logo}
              />
            </Cell>
          </tr>
        </Grid>
      </Cell>
    </tr>
  )
}

function Footer({ operator, content }: { operator: EmailContext['operator']; content: EmailContent }) {
  const text = useText({ emails })
  const { reason, unsubscribe } = content
  return (
    <tr>
      <Cell className="ink2" style={styles.footer}>
        {reason}
        <br />
        <br />
        {unsubscribe && (
          <>
            {unsubscribe.ignore}
            <br />
            <br />
            <a className="ink2" href={unsubscribe.url} style={styles.footerLink}>
              {unsubscribe.link}
            </a>
            <br />
            <br />
          </>
        )}
        {text.operator(operator.name)}
        <br />
        <span translate="no">
          {operator.address}
          <br />
          {operator.email}
        </span>
      </Cell>
    </tr>
  )
}
