package tests

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// composeProject loads docker-compose.yml as `docker compose config` would on a
// machine without a file of passwords.
func composeProject(t *testing.T) *types.Project {
	t.Helper()
	options, err := cli.NewProjectOptions([]string{"../docker-compose.yml"})
	if err != nil {
		t.Fatal(err)
	}
	project, err := options.LoadProject(t.Context())
	if err != nil {
		t.Fatalf("docker-compose.yml: %v", err)
	}
	return project
}

// natsOptions reads the configuration of one server of the compose file with
// the server's own parser, under the environment that the compose file gives.
func natsOptions(t *testing.T, service types.ServiceConfig) *server.Options {
	t.Helper()
	for name, value := range service.Environment {
		if value == nil {
			t.Fatalf("%s: %s has no value", service.Name, name)
		}
		t.Setenv(name, *value)
	}
	i := slices.Index(service.Command, "--config")
	if i < 0 || i+1 == len(service.Command) {
		t.Fatalf("%s: no --config in %v", service.Name, service.Command)
	}
	for _, v := range service.Volumes {
		if v.Target == service.Command[i+1] {
			options, err := server.ProcessConfigFile(v.Source)
			if err != nil {
				t.Fatalf("%s: %v", service.Name, err)
			}
			return options
		}
	}
	t.Fatalf("%s: %s is mounted from nowhere", service.Name, service.Command[i+1])
	return nil
}

// natsServices are the brokers of the compose file, in the order of their names.
func natsServices(t *testing.T, project *types.Project) []types.ServiceConfig {
	t.Helper()
	var services []types.ServiceConfig
	for _, name := range project.ServiceNames() {
		if service := project.Services[name]; strings.HasPrefix(service.Image, "nats:") {
			services = append(services, service)
		}
	}
	if len(services) != 3 {
		t.Fatalf("%d NATS servers, want three, so that one may fail", len(services))
	}
	return services
}

func TestComposeRunsThreeDurableBrokers(t *testing.T) {
	project := composeProject(t)
	services := natsServices(t, project)
	names, stores := map[string]bool{}, map[string]bool{}
	for _, service := range services {
		options := natsOptions(t, service)
		names[options.ServerName] = true
		if options.ServerName != service.Name {
			t.Errorf("%s calls itself %q", service.Name, options.ServerName)
		}
		if !options.SyncAlways {
			t.Errorf("%s acknowledges a record before it is on its disk", service.Name)
		}
		if options.Cluster.Name == "" || len(options.Routes) != len(services) {
			t.Errorf("%s: cluster %q with routes %v, want one to each server", service.Name, options.Cluster.Name, options.Routes)
		}
		for _, route := range options.Routes {
			if _, err := project.GetService(route.Hostname()); err != nil {
				t.Errorf("%s: route to %s: %v", service.Name, route, err)
			}
		}
		i := slices.IndexFunc(service.Volumes, func(v types.ServiceVolumeConfig) bool { return v.Target == options.StoreDir })
		if i < 0 {
			t.Errorf("%s keeps the ledger in %s, which is no volume", service.Name, options.StoreDir)
			continue
		}
		stores[service.Volumes[i].Source] = true
		if len(service.Ports) > 0 {
			t.Errorf("%s is reachable from outside", service.Name)
		}
	}
	if len(names) != 3 || len(stores) != 3 {
		t.Errorf("names %v and volumes %v, want three of each", names, stores)
	}
}

func TestComposeServerStartsAfterTheRest(t *testing.T) {
	project := composeProject(t)
	chancery, err := project.GetService("chancery")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"nats-1": types.ServiceConditionHealthy, "nats-2": types.ServiceConditionHealthy,
		"nats-3": types.ServiceConditionHealthy, "postgres": types.ServiceConditionHealthy,
		"migrate": types.ServiceConditionCompletedSuccessfully,
	}
	for name, condition := range want {
		if got := chancery.DependsOn[name].Condition; got != condition {
			t.Errorf("chancery waits for %s to be %q, want %q", name, got, condition)
		}
	}
	for name := range want {
		if service := project.Services[name]; want[name] == types.ServiceConditionHealthy && service.HealthCheck == nil {
			t.Errorf("%s can never be healthy: it has no health check", name)
		}
	}
	if chancery.Build == nil || len(chancery.Ports) != 1 || chancery.Ports[0].Published != "8080" {
		t.Errorf("chancery: build %v and ports %v, want our image on 8080", chancery.Build, chancery.Ports)
	}
	postgres := project.Services["postgres"]
	if !regexp.MustCompile(`^postgres:17(\.|$)`).MatchString(postgres.Image) {
		t.Errorf("PostgreSQL is %q, want 17", postgres.Image)
	}
}

// The URLs in the compose file must open the brokers of its configuration, and
// with the game server's one nobody can rewrite history.
func TestComposeServerCannotRewriteTheLedger(t *testing.T) {
	project := composeProject(t)
	broker := startConfigured(t, natsOptions(t, natsServices(t, project)[0]))
	admin := connectAs(t, broker, natsURL(t, project, "migrate"))
	chancery := connectAs(t, broker, natsURL(t, project, "chancery"))

	ledger := jetstream.StreamConfig{Name: "LEDGER", Subjects: []string{"game.*"}, Storage: jetstream.FileStorage}
	if err := createStream(t, chancery, ledger); err == nil {
		t.Fatal("the game server created the ledger")
	}
	if err := createStream(t, admin, ledger); err != nil {
		t.Fatalf("the administrator creates the ledger: %v", err)
	}
	if _, err := chancery.Publish(t.Context(), "game.g1", []byte("record 0")); err != nil {
		t.Fatalf("the game server appends: %v", err)
	}
	kv := jetstream.StreamConfig{Name: "KV_lease", Subjects: []string{"$KV.lease.>"}}
	if err := createStream(t, chancery, kv); err != nil {
		t.Errorf("the game server creates a stream of its own: %v", err)
	}

	for _, call := range []string{
		"STREAM.UPDATE.LEDGER", "STREAM.DELETE.LEDGER", "STREAM.PURGE.LEDGER",
		"STREAM.MSG.DELETE.LEDGER", "STREAM.RESTORE.LEDGER", "STREAM.PEER.REMOVE.LEDGER",
	} {
		t.Run(call, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer cancel()
			reply, err := chancery.Conn().RequestWithContext(ctx, "$JS.API."+call, []byte(`{"seq":1}`))
			if err == nil {
				t.Fatalf("the game server was answered: %s", reply.Data)
			}
		})
	}
	stream, err := chancery.Stream(t.Context(), "LEDGER")
	if err != nil {
		t.Fatalf("the game server looks the ledger up: %v", err)
	}
	record, err := stream.GetMsg(t.Context(), 1)
	if err != nil || string(record.Data) != "record 0" {
		t.Errorf("afterwards the record reads %v, %v", record, err)
	}
}

// startConfigured starts one broker alone under a configuration: its accounts
// and permissions, but a folder, a port and no cluster of the test's own.
func startConfigured(t *testing.T, options *server.Options) *server.Server {
	t.Helper()
	options.StoreDir = t.TempDir()
	options.Host, options.Port = "127.0.0.1", server.RANDOM_PORT
	options.HTTPHost, options.HTTPPort = "", 0
	options.Cluster, options.Routes = server.ClusterOpts{}, nil
	options.NoLog, options.NoSigs = true, true
	broker, err := server.NewServer(options)
	if err != nil {
		t.Fatal(err)
	}
	broker.Start()
	t.Cleanup(func() { broker.Shutdown(); broker.WaitForShutdown() })
	if !broker.ReadyForConnections(10 * time.Second) {
		t.Fatal("the broker did not start")
	}
	return broker
}

// natsURL is the first of the brokers' addresses that a service is given.
func natsURL(t *testing.T, project *types.Project, name string) *url.URL {
	t.Helper()
	command := project.Services[name].Command
	i := slices.Index(command, "--nats-url")
	if i < 0 || i+1 == len(command) {
		t.Fatalf("%s is told no --nats-url", name)
	}
	var first *url.URL
	for address := range strings.SplitSeq(command[i+1], ",") {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, err := project.GetService(u.Hostname()); err != nil {
			t.Errorf("%s is sent to %s: %v", name, u.Host, err)
		}
		if first == nil {
			first = u
		}
	}
	return first
}

// connectAs connects to a broker of the test with the user and the password of
// an address.
func connectAs(t *testing.T, broker *server.Server, address *url.URL) jetstream.JetStream {
	t.Helper()
	nc, err := nats.Connect(broker.ClientURL(), func(o *nats.Options) error {
		o.User = address.User.Username()
		o.Password, _ = address.User.Password()
		return nil
	}, nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})) // refusals are expected
	if err != nil {
		t.Fatalf("connecting as %s: %v", address.User.Username(), err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	return js
}

// createStream creates a stream; a user who may not is never answered, so the
// wait is short.
func createStream(t *testing.T, js jetstream.JetStream, config jetstream.StreamConfig) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	_, err := js.CreateStream(ctx, config)
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("no answer: %w", err)
	}
	return err
}

// The image is built where the compose file says, from a Dockerfile that makes
// the binary as everyone else does.
func TestComposeBuildsFromTheDockerfile(t *testing.T) {
	build := composeProject(t).Services["chancery"].Build
	dockerfile := readText(t, filepath.Join(build.Context, build.Dockerfile))
	goMinor := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(readText(t, "../go.mod"))[1]
	for _, want := range []string{
		"FROM golang:" + goMinor,
		"make build",
		"USER 10001",
	} {
		if !strings.Contains(dockerfile, want) {
			t.Errorf("the Dockerfile does not say %q", want)
		}
	}
}
