import { paths } from '../../../../lib/paths.ts'
import type { LegalSection } from '../legal-text.ts'

const personalData: LegalSection = {
  id: 'data',
  title: 'Persoonsgegevens',
  blocks: () => [
    `Het [privacybeleid](${paths.privacy}) zegt wat we met persoonsgegevens doen. Voor foto’s, en voor de adressen van gasten die er een vragen, ben jij de verwerkingsverantwoordelijke en zijn wij je verwerker, als de AVG voor jou geldt. Dan is dit artikel de overeenkomst die artikel 28 ervan vraagt:`,
    {
      list: [
        'We verwerken die gegevens alleen om foto’s te bewaren, te tonen en te versturen zoals jij dat instelt, zolang ze hier staan, en volgens je instructies: dat zijn je instellingen en wat je ons schrijft. Denken we dat een instructie de wet schendt, dan zeggen we het je.',
        'Ze gaan over de mensen op foto’s en over je gasten: beelden, e-mailadressen, tijdstippen. Je uploadt geen foto’s waarvoor de wet meer bescherming vraagt dan deze dienst geeft.',
        'Wie voor ons met deze gegevens werkt, moet ze geheimhouden. Het privacybeleid zegt hoe we ze beveiligen.',
        'Je gaat ermee akkoord dat we bedrijven inschakelen van de soorten die het privacybeleid noemt. Ze zijn gebonden zoals wij, en we staan voor hen in. Een nieuw bedrijf is een wijziging van het privacybeleid, die we aankondigen; maak je bezwaar, dan kun je de overeenkomst opzeggen voor ze geldt.',
        'We helpen je te antwoorden aan mensen die hun rechten gebruiken, en met een gegevensbeschermingseffectbeoordeling waar je er een nodig hebt. Is er met de gegevens iets gebeurd, dan zeggen we het je zonder uitstel.',
        'Je kunt de gegevens altijd exporteren en verwijderen. Als het account eindigt, worden ze verwijderd.',
        'We geven je wat je nodig hebt om aan te tonen dat dit nageleefd wordt, en laten controles toe, na aankondiging en op een moment dat anderen niet stoort.',
      ],
    },
  ],
}

const programs: LegalSection = {
  id: 'api',
  title: 'API en sleutels',
  blocks: ({ values: v }) => [
    `Met Pro Yearly kunnen programma’s van jou foto’s uploaden en lezen (zie de [documentatie](${paths.apiDocs})) en gebeurtenissen krijgen via een webhook. Sleutels zijn als wachtwoorden: houd ze geheim en verwijder een sleutel die iemand anders kan hebben. Je kunt er ${v.apiKeys} hebben. Elke sleutel mag ${v.apiCallsPerMinute} oproepen per minuut doen. Je bent verantwoordelijk voor je programma’s en voor de servers die je webhooks bereiken. Oproepen die we documenteren, veranderen we alleen met een aankondiging zoals in [artikel](#changes), tenzij de veiligheid haast vraagt.`,
  ],
}

const availability: LegalSection = {
  id: 'availability',
  title: 'Beschikbaarheid',
  blocks: ({ values: v }) => [
    `Ons streefcijfer is ${String(v.uptimePercent).replace('.', ',')}% beschikbaarheid: dat pagina’s en codes in zoveel procent van de minuten van ${v.uptimeDays} dagen bereikbaar zijn. Het programma meet dat. Het is een streefcijfer: wordt het niet gehaald, dan geeft dat geen recht op een tegoed of vergoeding. Wat de wet je geeft als een digitale dienst niet is zoals afgesproken (voor consumenten: artikelen 1701/1 en volgende van het oud Burgerlijk Wetboek), blijft.`,
    'Onderhoud, storingen van netwerken en van anderen kunnen de dienst onderbreken. Bewaar zelf een kopie van foto’s die belangrijk voor je zijn: dit is een manier om ze door te geven, geen archief.',
  ],
}

const liability: LegalSection = {
  id: 'liability',
  title: 'Aansprakelijkheid',
  blocks: () => [
    '**Altijd, en zonder grens**, staan we in voor schade die we opzettelijk of door een zware fout veroorzaken, voor lichamelijk letsel en overlijden, en overal waar de wet geen grens toestaat. Deze voorwaarden veranderen niets aan de rechten die de wet consumenten geeft.',
    '**Tegenover ondernemingen**, daarbuiten: we staan in voor rechtstreekse schade door een tekortkoming in deze overeenkomst, tot het bedrag dat je voor de twaalf maanden ervoor betaalde, en niet voor gederfde winst, verloren klanten of verloren gegevens waarvan je een kopie kon bewaren, zover de wet dat toestaat.',
    'Niemand staat in voor wat buiten zijn macht ligt (overmacht).',
    'Spreken anderen ons aan om wat jij uploadde of tegen [artikel](#content) deed, dan vergoed je de schade die wij daardoor lijden, zover het jouw fout is.',
  ],
}

const law: LegalSection = {
  id: 'law',
  title: 'Recht, rechtbanken en klachten',
  blocks: () => [
    'Het Belgische recht geldt. Een consument die in een ander land van de Europese Unie woont, houdt de bescherming die het recht daar geeft en waarvan niet kan worden afgeweken.',
    'De rechtbanken die het Belgische recht aanwijst, zijn bevoegd. Een consument kan altijd naar de rechtbank van zijn woonplaats.',
    {
      contact: 'support',
      before: 'Zeg het eerst aan ons, zodat we het kunnen rechtzetten:',
      after:
        'Consumenten kunnen ook naar de Consumentenombudsdienst (Service de Médiation pour le Consommateur), [consumentenombudsdienst.be](https://consumentenombudsdienst.be).',
    },
    'Deze voorwaarden bestaan in het Nederlands en het Engels; beide gelden. Verschillen ze, dan geldt wat voor de consument het beste is, anders de Nederlandse tekst. Is een deel ervan ongeldig, dan blijft de rest gelden.',
  ],
}

const changes: LegalSection = {
  id: 'changes',
  title: 'Wijzigingen',
  blocks: ({ values: v }) => [
    `We mogen deze voorwaarden om een goede reden wijzigen, zoals een nieuwe wet, een nieuwe functie of veranderde kosten. Een nieuwe versie verschijnt op deze pagina minstens ${v.noticeDays} dagen voor ze geldt, met wat er verandert. Verandert er iets in je nadeel, dan schrijven we ook naar het e-mailadres van je account. Je kunt de overeenkomst opzeggen voor de wijziging geldt, en krijgt dan het deel van de prijs voor de tijd daarna terug. Wat je ervoor kocht, blijft zoals het was tot de betaalde periode eindigt. Vroegere versies blijven hieronder leesbaar.`,
  ],
}

/** De artikelen over gegevens, programma’s, beschikbaarheid, aansprakelijkheid en recht. */
export const processing = [personalData, programs, availability, liability, law, changes] as const
