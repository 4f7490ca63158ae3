import type { LegalContext } from '../legal-text.ts'
import type { DeviceKey, RecordId } from './inventory.ts'

const contract = 'Om te doen waarvoor je een account hebt (overeenkomst)'
const security = 'Om accounts en de dienst te beveiligen (gerechtvaardigd belang)'

/** Wat, waarom en op welke rechtsgrond, en hoelang. */
type Row = readonly [string, string, string]

const recordsOfOwners = ({ values: v }: LegalContext) =>
  ({
    account: [
      '**Je account**: e-mailadres en of het bevestigd is, gebruikersnaam, merknaam, tijdzone, instellingen, de dag waarop je je registreerde, de versie van de algemene voorwaarden die je aanvaardde, en je wachtwoord als hash die niet terug te rekenen is',
      contract,
      'Tot je het account verwijdert. Een account dat niet gebruikt wordt, wordt niet vanzelf verwijderd',
    ],
    consents: [
      '**Toestemmingen**: welke e-mails met nieuws en aanbiedingen je toestond of weigerde, wanneer, en de versie van de zin',
      'Om je toestemming te bewijzen (wettelijke verplichting)',
      'Tot je het account verwijdert',
    ],
    sessions: [
      `**Je aanmeldingen**: een hash van het token van de sessie, wat de browser over zichzelf zegt (hooguit ${v.userAgentChars} tekens), wanneer de sessie begon en het laatst gebruikt werd`,
      'Om je aangemeld te houden en je apparaten te tonen (overeenkomst)',
      `Tot je je afmeldt, ${v.sessionIdleDays} dagen zonder gebruik, of ${v.sessionMaxDays} dagen in totaal`,
    ],
    photos: [
      '**Foto’s** met hun miniaturen, bestandsnamen, afmetingen, uploadtijden en codes, en of ze verborgen zijn; van een foto die wij verborgen, wanneer, en wat we je daarover schreven. Plaats, toestel en andere verborgen gegevens worden verwijderd; alleen auteursrecht en maker blijven staan',
      'Om foto’s voor hun eigenaar te bewaren, te tonen en door te geven (overeenkomst met de eigenaar)',
      `Tot de eigenaar ze verwijdert: vanaf dan kan niemand ze nog openen, een taak wist meteen de bestanden, en ${v.deletedPhotoHours} uur later verdwijnt de laatste regel. Het geüploade bestand zelf verdwijnt zodra de foto klaar is, dat van een mislukte foto na ${v.failedOriginalDays} dagen`,
    ],
    removals: [
      '**Verwijderingen**: welke foto’s na het einde van een groter abonnement verwijderd worden of zijn, en welke e-mails je daarover kreeg',
      contract,
      `${v.keepDays} dagen tot de verwijdering, en ${v.undoRemovalDays} dagen waarin je ze ongedaan kunt maken`,
    ],
    branding: [
      '**Je logo en achtergrond**, en hoever het toevoegen van een watermerk staat. Van een foto met watermerk wordt ook het beeld zonder watermerk bewaard; alleen jij kunt dat krijgen',
      contract,
      'Tot je ze of het account verwijdert',
    ],
    usage: [
      '**Je gebruik**: hoeveel foto’s je in elke maand uploadde, welke waarschuwingen over limieten je kreeg, en de rekentijd van bestanden die lang duren',
      'Om de limieten van je abonnement toe te passen (overeenkomst)',
      `Tot je het account verwijdert; rekentijd ${v.processingDays} dagen`,
    ],
    insights: [
      '**Aantallen**: hoe vaak een foto in elk uur gescand, bekeken, gedownload en aangevraagd werd. Alleen aantallen: niets over wie het deed',
      'Om eigenaars te tonen hoe hun foto’s gebruikt worden (gerechtvaardigd belang)',
      'Tot de foto verwijderd wordt',
    ],
  }) as const

const recordsOfGuests = ({ values: v }: LegalContext) =>
  ({
    requests: [
      '**Aanvragen van gasten**: het e-mailadres, de gevraagde foto, het tijdstip, de versie van de zin naast het veld, en een hash van de verstuurde link',
      'Om de foto te sturen waar de gast om vroeg (toestemming)',
      `${v.requestDays} dagen, of tot de foto verwijderd wordt. De link werkt ${v.grantHours} uur; de hash ervan verdwijnt ${v.expiredLinkDays} dagen later`,
    ],
    requestAttempts: [
      '**Pseudoniemen**: een voor het netwerk waarvandaan iemand een foto vroeg. Het is elke dag nieuw en kan niet naar een IP-adres worden teruggerekend',
      'Om een stroom van e-mails te verhinderen (gerechtvaardigd belang)',
      `${v.requestAttemptDays} dag`,
    ],
    blockedMailboxes: [
      '**Uitgeschreven mailboxen**: dat een mailbox geen foto’s meer wil: een hash waaruit het adres niet te lezen is',
      'Om je bezwaar te respecteren (wettelijke verplichting)',
      'Tot je e-mails met foto’s weer toestaat',
    ],
    reports: [
      `**Meldingen** over een foto: de reden, het tijdstip, en wat je in de opmerking schreef (hooguit ${v.reportNoteChars} tekens). Niet wie je bent`,
      'Om de mensen op foto’s te beschermen (gerechtvaardigd belang en wettelijke verplichting)',
      'Tot de foto verwijderd wordt',
    ],
    support: [
      '**Berichten aan ondersteuning**: naam, e-mailadres, onderwerp, bericht, je account als je aangemeld bent, en een pseudoniem zoals hierboven tegen misbruik. Ze gaan ook per e-mail naar wie antwoordt',
      'Om je te antwoorden (overeenkomst, gerechtvaardigd belang)',
      `${v.supportAnsweredDays} dagen na het antwoord; zonder antwoord ${v.supportOpenDays} dagen, ${v.supportSuspectedDays} dagen als het op spam lijkt; het pseudoniem ${v.requestAttemptDays} dag`,
    ],
    emails: [
      '**E-mails** die we sturen: het adres, de soort, tijdstippen, of de e-mail verstuurd is, en waarom niet',
      'Om ze één keer te sturen, en eigenaars te tonen wat er van een aanvraag geworden is (overeenkomst, gerechtvaardigd belang)',
      `${v.requestDays} dagen; die over het einde van een account ${v.receiptHours} uur`,
    ],
    links: [
      '**Links in e-mails**: hashes van links waarmee je een nieuw wachtwoord kiest of een adres bevestigt, met dat adres',
      contract,
      `De links werken ${v.resetMinutes} minuten en ${v.verifyDays} dagen; hun hashes verdwijnen ${v.expiredLinkDays} dagen later`,
    ],
  }) as const

const recordsOfService = ({ values: v }: LegalContext) =>
  ({
    exports: [
      '**Exports**: het bestand met al je gegevens, als je erom vroeg of voordat foto’s verwijderd worden',
      'Om je je gegevens te geven (wettelijke verplichting)',
      `${v.exportDays} dagen`,
    ],
    integrations: [
      '**API-sleutels** (naam, hash, laatste vier tekens, laatste gebruik), en **webhooks** met het adres dat je opgaf en een logboek van wat verstuurd is',
      contract,
      `Tot je ze verwijdert; het logboek ${v.webhookLogDays} dagen`,
    ],
    billing: [
      '**Betalingen**: abonnement, periodes, terugbetalingen, en het nummer van je account bij de betaaldienst. Geen kaartgegevens: die bereiken ons nooit',
      'Om abonnementen te verkopen (overeenkomst) en een boekhouding te voeren (wettelijke verplichting)',
      `Tot je het account verwijdert en alles afgehandeld is; berichten van de betaaldienst ${v.paymentEventDays} dagen. Facturen blijven zolang de Belgische belastingwet het vraagt`,
    ],
    knownClients: [
      '**IP-adressen** (van IPv6 de eerste helft) waarvandaan je je aanmeldde',
      security,
      `${v.knownClientDays} dagen na de laatste aanmelding, of tot je een nieuw wachtwoord instelt via een link`,
    ],
    passwordAttempts: [
      '**Foute wachtwoorden**: het ingevulde e-mailadres, het aantal pogingen en, waar je je eerder aanmeldde, het IP-adres',
      security,
      `${v.passwordAttemptDays} dag na de laatste poging`,
    ],
    rateLimits: [
      '**Tellers**: hoe vaak een IP-adres, een account of een sleutel iets opriep waarvoor een limiet geldt',
      security,
      `Ongeveer ${v.rateHitMinutes} minuten`,
    ],
    audit: [
      '**Auditlogboek**: wat beheerders en programma’s met een beheersleutel deden of opzochten, met de naam van het account en de reden',
      'Om na te gaan wie zulke rechten gebruikte (gerechtvaardigd belang)',
      `Handelingen ${v.auditActionDays} dagen, oproepen ${v.auditCallDays} dagen. Nadat je je account verwijderd hebt, word je er nergens meer in genoemd`,
    ],
    log: [
      '**Het logboek van het programma**: fouten en starts, met interne nummers van foto’s, e-mails en klanten. Verzoeken, IP-adressen en links worden niet gelogd',
      'Om fouten te vinden (gerechtvaardigd belang)',
      'Tot het op onze server overschreven wordt',
    ],
    copies: [
      '**Back-ups**: kopieën van de hele database en van de bestanden, als we die tegen verlies maken; en willekeurige interne nummers van verwijderde accounts en foto’s, met het tijdstip van de verwijdering',
      'Om de dienst na een verlies te herstellen (gerechtvaardigd belang)',
      `Tot een nieuwere kopie ze vervangt; de nummers ${v.erasureDays} dagen. Wat jij verwijderde, wordt na het terugzetten van een kopie opnieuw verwijderd: daarvoor dienen die nummers`,
    ],
  }) as const

export const records = (context: LegalContext): Record<RecordId, Row> => ({
  ...recordsOfOwners(context),
  ...recordsOfGuests(context),
  ...recordsOfService(context),
})

/** Wat een browser bewaart, waarom, en tot wanneer. */
export const deviceStorage = ({ values: v }: LegalContext): Record<DeviceKey, readonly [string, string]> => ({
  token: ['Houdt je aangemeld', 'Tot je je afmeldt of je sessie eindigt'],
  theme: ['Licht of donker, als je een van beide koos', 'Tot je Systeem kiest'],
  cookie_preferences: ['Je keuze in de cookiemelding', 'Tot je ze wist'],
  cookie_decision: ['Wanneer je die keuze maakte, en voor welke statistieken', 'Tot je ze wist'],
  'hidden-usage-warning': ['Welke waarschuwing over een limiet je sloot', 'Tot de volgende'],
  'stage-prints': ['Of het grote scherm recente foto’s toont', 'Tot je ze weer aanzet'],
  'keepsnap-uploads': [
    'Gekozen foto’s waarvoor je abonnement nog geen plaats heeft, zodat ze er na herladen nog zijn',
    'Tot ze geüpload zijn of je ze verwijdert',
  ],
  language: ['De taal die je koos, als je er een koos', `${v.languageDays} dagen`],
  places: ['Hoever je gescrold had, voor de knop Terug', 'Tot je het tabblad sluit'],
  'stage-full': ['Of het grote scherm volledig getoond wordt', 'Tot je het tabblad sluit'],
  'stage-reloaded': ['Wanneer het grote scherm zichzelf het laatst herlaadde', 'Tot je het tabblad sluit'],
  'report-later-*': [
    'Tot welke melding je Later koos; het nummer van je account volgt op de naam',
    'Tot je het tabblad sluit',
  ],
  'support-draft': [
    'Een bericht aan ondersteuning dat je nog niet verstuurd hebt',
    'Tot je het verstuurt of het tabblad sluit',
  ],
})
