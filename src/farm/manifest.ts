export const manifests = ["slurm", "kubernetes"] as const;

export type ManifestKind = (typeof manifests)[number];

interface WorkerSettings {
  redis: string;
  /** A folder that all nodes share. */
  runs: string;
  /** Number of workers, each with its own GPU. */
  workers: number;
  /** Environment variable with the password of Redis, if it needs one. */
  passwordVariable?: string;
}

/** Returns what starts workers on a cluster: a script for sbatch, or YAML for kubectl. */
export function manifestOf(kind: ManifestKind, workers: WorkerSettings): string {
  return kind === "slurm" ? slurm(workers) : kubernetes(workers);
}

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

// Both manifests give workers 30 seconds to save and return their jobs.
function slurm({ redis, runs, workers, passwordVariable }: WorkerSettings): string {
  return `#!/bin/bash
#SBATCH --job-name=splatbook
#SBATCH --ntasks=${workers}
#SBATCH --gpus-per-task=1
#SBATCH --cpus-per-task=2
#SBATCH --signal=TERM@30
# Submit from a checkout that all nodes share. Slurm gives each task its own GPU if it confines devices
# (ConstrainDevices in cgroup.conf).${passwordVariable ? `\n# ${passwordNote(passwordVariable)} sbatch passes on its environment.` : ""}
srun --kill-on-bad-exit=0 npx splatbook worker --workers 1 --redis ${quote(redis)} --runs ${quote(runs)}
`;
}

const passwordNote = (variable: string) =>
  `The password of Redis comes from ${variable}. A user name goes into the address: redis://NAME@HOST.`;

/** Quotes text for YAML, of which JSON is a subset. */
const yaml = JSON.stringify;

function kubernetes({ redis, runs, workers, passwordVariable }: WorkerSettings): string {
  const secretPassword = passwordVariable
    ? `
            # ${passwordNote(passwordVariable)}
            - name: ${passwordVariable}
              valueFrom: {secretKeyRef: {name: splatbook-redis, key: password}}`
    : "";
  return `# Needs an image splatbook:latest, a checkout with npm ci and the package libvulkan1, and a volume claim
# splatbook-runs that many nodes write.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: splatbook-worker
spec:
  replicas: ${workers}
  selector:
    matchLabels: {app: splatbook-worker}
  template:
    metadata:
      labels: {app: splatbook-worker}
    spec:
      terminationGracePeriodSeconds: 30
      containers:
        - name: worker
          image: splatbook:latest
          command: ["node", "src/cli/splatbook.js", "worker"]
          args: ["--workers", "1", "--redis", ${yaml(redis)}, "--runs", ${yaml(runs)}]
          env:
            - {name: NVIDIA_DRIVER_CAPABILITIES, value: "compute,graphics,utility"}${secretPassword}
          resources:
            limits: {nvidia.com/gpu: 1}
          volumeMounts:
            - {name: runs, mountPath: ${yaml(runs)}}
      volumes:
        - name: runs
          persistentVolumeClaim: {claimName: splatbook-runs}
`;
}
