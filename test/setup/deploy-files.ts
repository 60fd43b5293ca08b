/** What the tests read of `deploy/docker-compose.yml`. */
export interface Compose {
  services: Record<
    string,
    {
      image: string
      command?: string[]
      environment?: Record<string, string>
      secrets?: string[]
      stop_grace_period?: string
    }
  >
  secrets: Record<string, { file: string }>
  volumes: Record<string, unknown>
}

/** One document of `deploy/kubernetes.yaml`. */
export interface Resource {
  kind: string
  metadata: { name: string; namespace?: string }
  stringData?: Record<string, string>
  spec?: object
}

interface Probe {
  httpGet: { path: string; port: string }
  periodSeconds: number
}

interface Container {
  image: string
  args: string[]
  env: { name: string; value: string }[]
  ports: { name: string; containerPort: number }[]
  startupProbe: Probe
  readinessProbe: Probe
  livenessProbe: Probe
  volumeMounts: { name: string; mountPath: string }[]
}

interface PodTemplate {
  metadata: { labels: Record<string, string> }
  spec: {
    terminationGracePeriodSeconds: number
    containers: [Container]
    volumes: { name: string }[]
  }
}

export interface Deployment extends Resource {
  kind: 'Deployment'
  spec: { template: PodTemplate; strategy: { rollingUpdate: { maxUnavailable: number } } }
}

export interface StatefulSet extends Resource {
  kind: 'StatefulSet'
  spec: { template: PodTemplate }
}
