import type { Service } from '@calends/http-contract';
import { limits, serviceSchema } from '@calends/model';
import * as z from 'zod';
import { withAvailability } from './availability-interface.js';
import { idForm, readJson, readText, requireEachOnce, saveEach } from './read-import.js';
import { textTable } from './text-table.js';

/** What `calends services` was asked for. */
export type ServicesRequest = {
  readonly organizationId?: string | undefined;
  readonly applicationId: string;
} & ({ readonly action: 'list'; readonly json: boolean } | { readonly action: 'import'; readonly file: string });

/** As `GET /api/v2/services` answers; of an entry that is written by hand, id and rules. */
const servicesForm = z.strictObject({
  services: z.array(
    z.strictObject({
      id: idForm(limits.id),
      rules: serviceSchema,
      archived: z.boolean().optional(),
      applicationId: z.string().optional(),
      version: z.int().optional(),
    }),
  ),
});

/**
 * `calends services`: lists the services of an application, or saves those of a file; archived ones are left out.
 *
 * @throws RefusedError when the file has faults or the interface answers a problem
 */
export async function services(request: ServicesRequest): Promise<void> {
  const { organizationId, applicationId } = request;
  const query = new URLSearchParams({ applicationId }).toString();
  if (request.action === 'list') {
    const answer = await withAvailability(organizationId, async (open) => {
      const body = await open.ask({ method: 'GET', path: '/api/v2/services', query });
      if (servicesIn(body).length === 0) await open.requireKnown(applicationId);
      return body;
    });
    process.stdout.write(request.json ? `${answer}\n` : shown(servicesIn(answer)));
    return;
  }
  const { file } = request;
  const read = readJson(file, readText(file), servicesForm);
  const offered = read.services
    .map((entry, index) => ({ place: `services.${String(index)}`, entry }))
    .filter(({ entry }) => entry.archived !== true);
  requireEachOnce(file, offered, ({ id }) => id);
  await withAvailability(organizationId, (open) =>
    saveEach(file, offered, ({ id, rules }) =>
      open.ask({ method: 'PUT', path: `/api/v2/services/${encodeURIComponent(id)}`, query, body: rules }),
    ),
  );
  process.stdout.write(`${String(offered.length)} ${offered.length === 1 ? 'service is' : 'services are'} saved.\n`);
}

const servicesIn = (answer: string): readonly Service[] =>
  (JSON.parse(answer) as { readonly services: readonly Service[] }).services;

function shown(all: readonly Service[]): string {
  if (all.length === 0) return 'The application has no services.\n';
  const rows = all.map(({ id, rules, archived, version }) => [
    ...[id, rules.title, rules.durations.join(' '), rules.grid.step, rules.timezone],
    rules.requirements.map(({ anyOf, count = 1 }) => `${String(count)} of ${anyOf.join(' ')}`).join(', '),
    archived ? 'archived' : version === 0 ? 'from settings' : 'offered',
  ]);
  return textTable(['ID', 'TITLE', 'DURATIONS', 'STEP', 'ZONE', 'WHO', 'STATE'], rows);
}
