/** A run of the process in fixtures/pendulum.yaml, whose events need no evidence. */
export async function startPendulum(client) {
  const { run_id: run } = await client.call('state_gate.create_run', { process_id: 'pendulum' });
  let revision = 0;
  return {
    run,
    revision: () => revision,
    async swing() {
      await client.call('state_gate.emit_event', {
        run_id: run,
        event_name: 'swing',
        payload: { n: revision, note: 'there and back again' },
        expected_revision: revision,
        idempotency_key: `swing-${revision}`,
      });
      revision += 1;
    },
  };
}
