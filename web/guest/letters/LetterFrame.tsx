import type { ComponentProps, ReactNode } from 'react'
import type { LetterFrame as Frame } from '@keepsnap/contract/guest.ts'
import { productName } from '@keepsnap/contract/product.ts'
import { letters } from '../../messages/en/letters.ts'
import { useText } from '../../lib/i18n.tsx'
import type { Content } from './content.ts'
import { look, themes } from './look.ts'

/** Pixels that a logo may take. */
const logoMost = { width: 200, height: 72 }

/** A table that only places things, as mail programs want it. */
export function Grid({ children, wide }: { children: ReactNode; wide?: boolean }) {
  return (
    <table role="presentation" cellPadding={0} cellSpacing={0} border={0} {...(wide && { width: '100%' })}>
      <tbody>{children}</tbody>
    </table>
  )
}

/** A cell of such a table. */
export function Cell(given: ComponentProps<'td'>) {
  return <td {...given} />
}

interface Props {
  lang: string
  content: Content
  frame: Frame
  children: ReactNode
}

/**
 * What is around every letter. Nothing is loaded from anywhere: no fonts, no counting, no image but a photographer's
 * logo, which travels with the letter.
 */
export function LetterFrame({ lang, content, frame, children }: Props) {
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
        <style dangerouslySetInnerHTML={{ __html: themes }} />
      </head>
      <body className="paper" style={look.body}>
        <div style={look.preview}>{preview}</div>
        <table role="presentation" cellPadding={0} cellSpacing={0} border={0} width="100%">
          <tbody>
            <tr>
              <Cell align="center" className="paper" style={look.paper}>
                <table role="presentation" cellPadding={0} cellSpacing={0} border={0} width="480" style={look.whole}>
                  <tbody>
                    {logo ? <Logo {...logo} /> : <Brand />}
                    <tr>
                      <Cell className="card" style={look.card}>
                        <Grid wide>
                          <tr>
                            <Cell className="card-in" style={look.cardIn}>
                              {children}
                            </Cell>
                          </tr>
                        </Grid>
                      </Cell>
                    </tr>
                    <SmallPrint operator={frame.operator} content={content} />
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

/** The mark from two cells: programs that know no rounded corners show squares. */
function Brand() {
  return (
    <tr>
      <Cell style={look.brand}>
        <Grid>
          <tr>
            <Cell className="ring" style={look.ring}>
              <Grid>
                <tr>
                  <Cell className="core" style={look.core} width="14" height="14">
                    {' '}
                  </Cell>
                </tr>
              </Grid>
            </Cell>
            <Cell className="ink" style={look.name} translate="no">
              {productName}
            </Cell>
          </tr>
        </Grid>
      </Cell>
    </tr>
  )
}

/** On white, in both themes: a logo may be dark on nothing. */
function Logo({ cid, width, height }: NonNullable<Content['logo']>) {
  const share = Math.min(1, logoMost.width / width, logoMost.height / height)
  return (
    <tr>
      <Cell style={look.brand}>
        <Grid>
          <tr>
            <Cell style={look.logoCell}>
              <img
                src={`cid:${cid}`}
                alt=""
                width={Math.round(width * share)}
                height={Math.round(height * share)}
                style={look.logo}
              />
            </Cell>
          </tr>
        </Grid>
      </Cell>
    </tr>
  )
}

function SmallPrint({ operator, content: { why, stop } }: { operator: Frame['operator']; content: Content }) {
  const text = useText({ letters })
  return (
    <tr>
      <Cell className="ink2" style={look.foot}>
        {why}
        <br />
        <br />
        {stop && (
          <>
            {stop.nothing}
            <br />
            <br />
            <a className="ink2" href={stop.url} style={look.quiet}>
              {stop.link}
            </a>
            <br />
            <br />
          </>
        )}
        {text.operator(operator.name)}
        <br />
        <span translate="no">
          {operator.address} · {operator.email}
        </span>
      </Cell>
    </tr>
  )
}
